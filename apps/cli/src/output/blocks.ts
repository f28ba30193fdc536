// Blocks as they may be stored: they come from anywhere, so no field is trusted to be what its type says.

/** A block of any kind. */
export type Block = { readonly type: unknown; readonly [key: string]: unknown }

/** The line a tool's result is told by: its first, or where that only opens JSON, all of it. '' for none; not yet visible. */
export function resultLine(text: string): string {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
  return /^\s*[[{]+\s*$/.test(first) ? text.trim().slice(0, 1000) : first
}

/** The text of a tool's result; what is no text in it by its type. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((block?: Partial<Block> | null) =>
      typeof block?.text === 'string' ? block.text : `[${String(block?.type)}]`,
    )
    .join('\n')
}
