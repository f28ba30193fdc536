// JSON for programs that cannot act on a terminal it is shown on: JSON.stringify leaves DEL, C1 and bidi controls as they
// are. They stand in strings only, so escaping them changes no value.

const unescaped = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu

/** The JSON text of a value, in one line or indented. */
export function toJsonText(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent))
}

/** JSON text with what JSON.stringify leaves unescaped as `\uXXXX`. */
export function escapeJson(json: string): string {
  return json.replace(unescaped, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
