// How much the words of a page count in the search, where 1 is usual. Titles of designs and decisions: theme/page-title.astro.
import type { SitePage } from './source-pages.ts'

/** Found behind everything else. */
export const behind = 0.2

export const atWeight = (weight: number, markdown: string) =>
  `<div data-pagefind-weight="${weight}">\n\n${markdown}\n\n</div>\n`

/** What is written for who builds the service, at length, or names everything there is, is found behind what its users look for. */
export function weighted({ group, address, body }: SitePage): string {
  const weight = weightOfLists[address] ?? (forBuilders.has(group) ? behind : 1)
  return weight === 1 ? body : atWeight(weight, body)
}

const forBuilders: ReadonlySet<string | null> = new Set(['Services', 'Designs', 'Decisions'])
/** By address. Who looks for a scope or a route wants its list. */
const weightOfLists: Readonly<Record<string, number>> = {
  'reference/scopes-and-routes/': 0.5,
  'reference/metrics/': behind,
  'reference/faults/': behind,
  'benchmark/': behind,
}
