// Refuses `limit … for update` in a subquery that may run again for each row of a join: each run locks, and takes, another piece
// (stack.md 7.2). `as materialized (…)`, `array(…)` and `= (…)` run once. Run by `npm run check`, over all SQL, in TypeScript too.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where such a subquery stands: path and line, one text each. */
export function lockedPieces(root: string): string[] {
  const patterns = ['services/*/src', 'packages/*/src', 'deploy', 'test-e2e/{bench,faults,harness,journeys}'].map(
    (folder) => `${folder}/**/*.{ts,sql}`,
  )
  const paths = globSync(patterns, { cwd: root, exclude: (path) => path.endsWith('node_modules') })
  return paths.sort().flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return linesOfPieces(text).map((line) => `${path}:${line}`)
  })
}

/** The lines on which a subquery locks a piece that is not taken once. */
export function linesOfPieces(source: string): number[] {
  // Words in comments are no SQL.
  const text = source.replaceAll(/^[ \t]*(?:\/\/|\*|\/\*).*$|--[^\n`]*/gm, (comment) => ' '.repeat(comment.length))
  const lineAt = (index: number) => text.slice(0, index).split('\n').length
  const written = [...text.matchAll(locks)].flatMap(({ index }) => {
    const open = openingOf(text, index)
    if (open === null || isTakenOnce(text, open)) return []
    return limits.test(ownText(text, open)) ? [lineAt(index)] : []
  })
  // A statement of its own that has a name, put into another one.
  const named = [...text.matchAll(/\bconst (\w+) = (['"`])((?:(?!\2)[\s\S])*)\2/g)].flatMap(([, name, , sql = '']) =>
    sql.search(locks) >= 0 && limits.test(ownText(`(${sql})`, 0)) ? [name] : [],
  )
  const put = [...text.matchAll(/\(\s*\$\{(\w+)\}\s*\)/g)].flatMap(({ index, 1: name }) =>
    named.includes(name) && !isTakenOnce(text, index) ? [lineAt(index)] : [],
  )
  return [...written, ...put]
}

const locks = /\bfor\s+(?:no\s+key\s+)?update\b/gi
const limits = /\b(?:limit|fetch\s+(?:first|next))\b/i

const isTakenOnce = (text: string, open: number): boolean =>
  /(?:\bas\s+materialized|\barray|=)\s*$/i.test(text.slice(0, open))

const closers: Record<string, string> = { '(': ')', '{': '}' }
const openers: Record<string, string> = { ')': '(', '}': '{' }

/** The bracket of the subquery around a place; null: the statement itself. */
function openingOf(text: string, from: number): number | null {
  const closed: string[] = []
  for (let at = from - 1; at >= 0; at -= 1) {
    const char = text[at] ?? ''
    if (char in openers) closed.push(openers[char] ?? '')
    else if (closed.length > 0) {
      if (char === closed.at(-1)) closed.pop()
    } else if (char === '(') return /^\s*['"`]/.test(text.slice(at + 1)) ? null : at
    else if (char === '{' || char === '`' || char === ';') return null
  }
  return null
}

/** What stands between the bracket and its end, without the brackets within. */
function ownText(text: string, open: number): string {
  const wanted: string[] = []
  let own = ''
  for (let at = open + 1; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (char in closers) wanted.push(closers[char] ?? '')
    else if (wanted.length > 0) {
      if (char === wanted.at(-1)) wanted.pop()
    } else if (char === ')') return own
    else own += char
  }
  return own
}

if (import.meta.main) {
  const found = lockedPieces(join(import.meta.dirname, '../..'))
  for (const place of found)
    console.error(`${place}: a subquery locks a piece by \`limit\`, and may run again: \`as materialized\``)
  process.exitCode = found.length === 0 ? 0 : 1
}
