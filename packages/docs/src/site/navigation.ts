// The sidebar as the generator takes it, made of the pages in their order.
import { groups, type Section, sections } from './sections.ts'
import type { SitePage } from './source-pages.ts'

type Entry = { label: string; link: string } | { label: string; items: Entry[]; collapsed: boolean }

/** Pages that another program makes. */
export const pagesByOthers: Partial<Record<Section, Pick<SitePage, 'title' | 'address' | 'description'>[]>> = {
  Reference: [
    {
      title: 'API',
      address: 'api/',
      description:
        'You can look up here each call of the API: parameters, body, answers, errors and scope (OpenAPI, also at /v1/openapi.json).',
    },
    {
      title: 'Try a call',
      address: 'try/',
      description: 'Here you try a call with a key of your own, at the service that hands out these pages.',
    },
    {
      title: 'Event log',
      address: 'event-log/',
      description: 'You can look up here what the services tell each other over the event log (AsyncAPI).',
    },
  ],
}

/** Pages that are not listed are reached from the index page of their kind. */
export function sidebarOf(pages: readonly SitePage[]): Entry[] {
  const listed = pages.filter((page) => page.isListed)
  return sections.flatMap((section) => {
    const own = listed.filter((page) => page.section === section)
    const titles = [...new Set(own.map(({ group }) => group))].sort((a, b) => placeOf(section, a) - placeOf(section, b))
    const items = titles.flatMap((title): Entry[] => {
      const beside = title === null ? (pagesByOthers[section] ?? []).map(entryOf) : []
      const entries = [...beside, ...own.filter(({ group }) => group === title).map(entryOf)]
      return title === null ? entries : [{ label: title, items: entries, collapsed: isCollapsed(section, title) }]
    })
    return items.length === 0 ? [] : [{ label: section, items, collapsed: false }]
  })
}

const entryOf = ({ title, address }: Pick<SitePage, 'title' | 'address'>): Entry => ({
  label: title,
  link: `/${address}`,
})

/** What stands in the section itself comes first. */
const placeOf = (section: string, title: string | null) =>
  title === null ? -1 : groups.findIndex((group) => group.section === section && group.title === title)

const isCollapsed = (section: string, title: string) =>
  groups.some((group) => group.section === section && group.title === title && group.collapsed === true)
