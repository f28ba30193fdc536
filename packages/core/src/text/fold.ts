// Folding for comparisons: what search and `nameContains` take for the same text.

/**
 * NFKC, full case folding (ß = ss), diacritics stripped from Latin, Greek and Cyrillic only: Thai marks, dakuten and
 * other scripts' marks carry meaning and stay.
 */
export function foldText(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ')
  return folded
    .normalize('NFD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '$1')
    .normalize('NFC')
}
