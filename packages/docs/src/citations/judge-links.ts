// Decides whether what a Markdown page points at is there: links within the repository, npm commands, paths in code spans.
import { dirname, join, normalize } from 'node:path/posix'
import { withoutCodeBlocks } from './design-numbers.ts'
import { lineOf } from './find-citations.ts'
import type { Judgement } from './judge-citations.ts'

/** The repository as pages see it. Paths are relative to its root, with `/`. */
export interface Repository {
  /** Whether a file or folder is there. */
  exists(path: string): boolean
  /** Text of a Markdown file that is there. */
  read(path: string): string
  /** Names of the root's npm scripts. */
  readonly scripts: ReadonlySet<string>
}

const link = /\]\(<?([^()\s<>]+)>?\)/g
const npmRun = /\bnpm run (?:-[\w-]+ )*([a-z][\w:-]*)/g
const codePath = /`((?:packages|services|deploy|test-e2e|src)\/[\w./-]*?)\/?`/g
const npmTest = /\bnpm test (?:-[\w-]+ )*-- ([a-z][\w./-]*)/g

/** `pathsToo`: also paths in code spans; not of pages that speak of the past or of what is to come. */
export function judgeLinks(path: string, text: string, repository: Repository, pathsToo = true): Judgement {
  const faults: string[] = []
  let count = 0
  const judge = (found: RegExpMatchArray, reason: string | null): void => {
    count += 1
    if (reason !== null) faults.push(`${path}:${lineOf(text, found.index ?? 0)}: ${found[1]}: ${reason}`)
  }
  for (const found of withoutCode(text).matchAll(link)) {
    const target = found[1] ?? ''
    if (!/^[a-z]+:/i.test(target)) judge(found, faultOfLink(path, target, repository))
  }
  for (const found of text.matchAll(npmRun))
    judge(found, repository.scripts.has(found[1] ?? '') ? null : 'package.json has no such script')
  for (const found of text.matchAll(npmTest))
    judge(found, repository.exists(found[1] ?? '') ? null : 'there are no such tests')
  if (pathsToo)
    for (const found of text.matchAll(codePath)) {
      const at = pathOf(dirname(path), found[1] ?? '', repository)
      if (at !== null) judge(found, repository.exists(at) ? null : `there is no ${at}`)
    }
  return { count, faults }
}

/** The map in the root's README has a row for each folder that holds a package. */
export function judgeMap(readme: string, folders: readonly string[]): Judgement {
  const missing = folders.filter((folder) => !readme.includes(`](${folder})`))
  return { count: folders.length, faults: missing.map((folder) => `README.md: the map has no row for ${folder}`) }
}

/** Paths from the root, or from the page's own folder where that has a `src`; null for any other. */
function pathOf(folder: string, path: string, repository: Repository): string | null {
  if (!path.startsWith('src/')) return path
  return repository.exists(join(folder, 'src')) ? join(folder, path) : null
}

function faultOfLink(from: string, target: string, repository: Repository): string | null {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), decodeURI(file)))
  if (path.startsWith('..')) return 'it leads out of the repository'
  if (!repository.exists(path)) return `there is no ${path}`
  if (anchor === undefined || !path.endsWith('.md')) return null
  return anchorsOf(repository.read(path)).has(anchor) ? null : `${path} has no heading #${anchor}`
}

/** As GitHub makes them of headings. */
function anchorsOf(markdown: string): Set<string> {
  const headings = withoutCodeBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm)
  return new Set([...headings].map(([, words = '']) => anchorOf(words)))
}

function anchorOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function withoutCode(markdown: string): string {
  return withoutCodeBlocks(markdown).replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length))
}
