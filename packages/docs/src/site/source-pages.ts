// Reads the pages of the site from the files of the repository.
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { downloads, shownBy } from './downloads.ts'
import { prepareMarkdown } from './prepare-markdown.ts'
import { addressOf, type Group, groups, type Section, titleOf } from './sections.ts'

/** One page, ready for the generator. */
export interface SitePage {
  /** Below the site's root, with a slash at its end; the start page is ''. */
  address: string
  title: string
  /** First sentence, for `llms.txt` and search results. */
  description: string
  /** Markdown without the title. */
  body: string
  section: Section | null
  group: string | null
  /** Stands in the navigation. */
  isListed: boolean
}

/** All pages that are files, in the order of the navigation. `root`: folder of the repository. */
export function readSourcePages(root: string, base: string): SitePage[] {
  const placed = placeFiles(root)
  const addressOfPage = (path: string) =>
    placed.has(path) ? addressOf(path) : (downloads.get(path) ?? shownBy.get(path) ?? null)
  return [...placed].map(([path, { section, title: group, isListed = true }]) => {
    const { title: own, body } = cutTitle(readFileSync(join(root, path), 'utf8'), path)
    const title = titleOf(path) ?? own
    const prepared = prepareMarkdown(body, { path, base, addressOf: addressOfPage })
    return {
      address: addressOf(path),
      title,
      description: firstSentence(body),
      body: prepared,
      section,
      group,
      isListed,
    }
  })
}

/** The group of each file, in the order of the navigation. */
export function placeFiles(root: string): Map<string, Group> {
  const named = groups.flatMap((group) =>
    group.files.flatMap((pattern) => filesOf(root, pattern).map((path) => ({ group, pattern, path }))),
  )
  const firstOf = new Map<string, Group>()
  for (const takesRest of [false, true])
    for (const { group, pattern, path } of named)
      if (pattern.endsWith('/*.md') === takesRest && !firstOf.has(path)) firstOf.set(path, group)
  return new Map(named.flatMap(({ group, path }) => (firstOf.get(path) === group ? [[path, group] as const] : [])))
}

function filesOf(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .map((path) => path.split(sep).join('/'))
    .sort()
}

/** The title is the one heading of the first level; decision records that have none are named by their file. */
export function cutTitle(markdown: string, path: string): { title: string; body: string } {
  const found = /^# (.+)\n/m.exec(markdown)
  if (found === null) throw new Error(`${path} has no title`)
  const title = (found[1] ?? '').replaceAll('`', '').trim()
  return { title, body: markdown.slice(0, found.index) + markdown.slice(found.index + found[0].length) }
}

/** What a decision record says of itself before it begins. */
const ofRecords = /^(?:Status|Date):|^Supersedes |^Replaces /

/** Of the first paragraph that is prose, without marks of Markdown. */
export function firstSentence(body: string): string {
  const prose =
    body
      .split(/\n{2,}/)
      .map((part) => part.trim())
      .find((part) => /^[\p{L}`*[]/u.test(part) && !ofRecords.test(part)) ?? ''
  const plain = prose
    .replace(/^\*\*Context\.\*\*\s+/, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`([^`]*)`|\*+|(?<!\w)_([^_]+)_(?!\w)/g, (_, span = '', stressed = '') => span + stressed)
    .replace(/\s+/g, ' ')
    .trim()
  return (/^.*?\.(?= |$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.')
}
