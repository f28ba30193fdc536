// Characters a name must not hold: controls, bidi controls, what no one sees, halves of surrogate pairs. What emoji and
// the scripts that need joiners are made of stays, but only where it does that.

const lineBreaks = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g
/** Terminal colours and the like; the control itself alone would leave `[31m` behind. */
const escapeSequences = /[\p{Cc}--[\n]]\[[\d;?]*[ -\/]*[A-Za-z]/gv
const controls = /[\p{Cc}--[\n]]/gv
/** The number signs of Arabic and Syriac are format characters that are seen. */
const unseen =
  /[[\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u200c\u200d\ufe0e\ufe0f\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}]]/gv
/** Tag characters spell the flags of three nations, and otherwise hide text. */
const tags = /\p{RGI_Emoji_Tag_Sequence}|[\u{e0020}-\u{e007f}]/gv
const strayVariations = /(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu
const strayJoiners =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]+|(?<=[ -~\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{M}\p{Extended_Pictographic}])/gu
const piledMarks = /(\p{M}{6})\p{M}+/gu

/** The text with its line breaks as `\n`, other controls as spaces, and nothing in it that is not seen. */
export function seenCharacters(text: string): string {
  return text
    .replace(lineBreaks, '\n')
    .replace(escapeSequences, '')
    .replace(controls, ' ')
    .replace(unseen, '')
    .replace(tags, (found) => (found.length > 2 ? found : ''))
    .replace(strayVariations, '')
    .replace(strayJoiners, '')
    .replace(piledMarks, '$1')
}
