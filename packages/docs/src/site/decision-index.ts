// The index of decision records (docs.md 6). It is made with the site and not kept: whoever adds a record would change it.
import { page, table } from '../generate/markdown.ts'
import type { SitePage } from './source-pages.ts'

/** `decisions/`, of the pages of the records. Throws where a record's title does not begin with its number. */
export function decisionIndex(pages: readonly SitePage[], base: string): SitePage {
  const records = pages.filter(({ group }) => group === 'Decisions')
  const rows = records.map(({ title, address }) => {
    const found = /^(\d+)\. (.+)$/.exec(title)
    if (found === null) throw new Error(`${address} has no number in its title`)
    return [found[1] ?? '', `[${found[2]}](${base}${address})`]
  })
  const description = 'You can look up here what was decided while building, and why.'
  const told = 'A decision is never edited: a later one supersedes it. Code cites them by number, as `decision 26`.'
  const body = page(`${description} ${told}`, table(['number', 'decision'], rows))
  return {
    address: 'decisions/',
    title: 'Decisions',
    description,
    body,
    section: 'Explanation',
    group: null,
    isListed: true,
  }
}
