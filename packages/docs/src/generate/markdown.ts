// Pieces of Markdown that generated pages share.

/** A table; a bar in a cell would end it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

/** A page of parts with an empty line between them. */
export function page(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}
