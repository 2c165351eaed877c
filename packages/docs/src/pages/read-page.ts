// Reads what a page has its reader do, in its order: files to save, commands for a terminal, what these print, and what is done in a browser.

export type Step = { line: number } & (
  | { kind: 'save'; name: string; text: string }
  /** `terminal`: 'main', or the name of another one, whose commands go on running; what ran there before is ended first (Ctrl-C). */
  | { kind: 'run'; terminal: string; commands: string }
  | { kind: 'see'; terminal: string; text: string }
  | { kind: 'browse'; lines: string[] }
)

/**
 * A block ```` ```sh ```` is run, with `terminal=NAME` in another terminal. A block ```` ```text output ```` is what the block before it prints, with
 * `terminal=NAME` what that terminal shows by then. A block ```` ```text browser ```` is done in a browser, line by line. Any other block with
 * `file=NAME` is saved. Other blocks are only read.
 */
export function readPage(markdown: string): Step[] {
  return [...blocksOf(markdown)].flatMap(({ language, info, text, line }): Step[] => {
    const { file, terminal = 'main' } = optionsOf(info)
    if (file !== undefined) return [{ kind: 'save', name: file, text, line }]
    if (/^browser\b/.test(info)) return [{ kind: 'browse', lines: text.trim().split('\n'), line }]
    if (language === 'sh') return [{ kind: 'run', terminal, commands: text, line }]
    return /^output\b/.test(info) ? [{ kind: 'see', terminal, text, line }] : []
  })
}

/** A block of code, without its fences and its indent. */
export interface Block {
  language: string
  info: string
  text: string
  /** Of its first line of text. */
  line: number
}

/** All blocks of a page. Throws Error where one has no end. */
export function* blocksOf(markdown: string): Generator<Block> {
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const [head, indent = '', language = '', info = ''] = /^( *)```(\S*) *(.*)$/.exec(lines[at] ?? '') ?? []
    if (head === undefined) continue
    const end = lines.indexOf(`${indent}\`\`\``, at + 1)
    if (end < 0) throw new Error(`line ${at + 1}: a block without an end`)
    const text = lines.slice(at + 1, end).map((one) => `${one.slice(Math.min(indent.length, one.length))}\n`)
    yield { language, info, text: text.join(''), line: at + 2 }
    at = end
  }
}

function optionsOf(info: string): { file?: string; terminal?: string } {
  return Object.fromEntries([...info.matchAll(/\b(file|terminal)=(\S+)/g)].map(([, name, value]) => [name, value]))
}
