// Puts the text of files into the pages that show them: `<!-- from: ../snippets/a/b.mjs -->` before a block says which file the block holds. Readers of the
// Markdown and of the site see the code, and `npm run check` fails when the two differ. It writes nothing.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withDiagrams } from './draw-sequence.ts'

const shown = /(<!-- from: (\S+) -->\n+( *)```[^\n]*\n)([\s\S]*?)(^ *```$)/gm

/** Text that each page with such a block must have, by path from the root. */
export function pagesWithFiles(root: URL): Record<string, string> {
  const folder = fileURLToPath(root)
  const pages = globSync(['packages/docs/tutorials/*.md', 'packages/docs/how-to/*.md', 'packages/*/README.md'], {
    cwd: folder,
  }).sort()
  return Object.fromEntries(
    pages
      .map((page) => [page, readFileSync(join(folder, page), 'utf8')] as const)
      .filter(([, text]) => text.includes('<!-- from: '))
      .map(([page, text]) => [
        page,
        withFiles(text, (path) => readFileSync(join(folder, dirname(page), path), 'utf8')),
      ]),
  )
}

/** Text that each page with a diagram must have, by path from the root. */
export function pagesWithDiagrams(root: URL): Record<string, string> {
  const folder = fileURLToPath(root)
  const pages = globSync('packages/docs/explanation/*.md', { cwd: folder }).sort()
  return Object.fromEntries(
    pages.flatMap((page) => {
      const text = readFileSync(join(folder, page), 'utf8')
      return text.includes('<!-- sequence: ') ? [[page, withDiagrams(text)]] : []
    }),
  )
}

/** Throws Error where a mark has no block behind it. */
export function withFiles(markdown: string, read: (path: string) => string): string {
  const marks = markdown.match(/^ *<!-- from: /gm)?.length ?? 0
  let found = 0
  const text = markdown.replaceAll(shown, (_, head: string, path: string, indent: string, __, end: string) => {
    found += 1
    const lines = read(path).trimEnd().split('\n')
    return `${head}${lines.map((line) => `${line === '' ? '' : indent}${line}\n`).join('')}${end}`
  })
  if (found !== marks) throw new Error(`${marks - found} of ${marks} marks have no block behind them`)
  return text
}
