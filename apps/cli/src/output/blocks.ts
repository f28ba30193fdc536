// Blocks as they may be stored: they come from anywhere, so no field is trusted to be what its type says.

/** A block of any kind. */
export type Block = { readonly type: unknown; readonly [key: string]: unknown }

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
