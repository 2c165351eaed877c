// The sidebar as the generator takes it, made of the pages in their order.
import { groups, type Section, sections } from './sections.ts'
import type { SitePage } from './source-pages.ts'

type Entry = { label: string; link: string } | { label: string; items: Entry[]; collapsed: boolean }

/** Pages that another program makes. */
const pagesByOthers: Partial<Record<Section, Entry[]>> = {
  Reference: [
    { label: 'API', link: '/api/' },
    { label: 'Try a call', link: '/try/' },
    { label: 'Event log', link: '/event-log/' },
  ],
}

/** Pages that are not listed are reached from the index page of their kind. */
export function sidebarOf(pages: readonly SitePage[]): Entry[] {
  const listed = pages.filter((page) => page.isListed)
  return sections.flatMap((section) => {
    const own = listed.filter((page) => page.section === section)
    const titles = [...new Set(own.map(({ group }) => group))].sort((a, b) => placeOf(section, a) - placeOf(section, b))
    const items = titles.flatMap((title): Entry[] => {
      const beside = title === null ? (pagesByOthers[section] ?? []) : []
      const entries = [...beside, ...own.filter(({ group }) => group === title).map(entryOf)]
      return title === null ? entries : [{ label: title, items: entries, collapsed: isCollapsed(section, title) }]
    })
    return items.length === 0 ? [] : [{ label: section, items, collapsed: false }]
  })
}

const entryOf = ({ title, address }: SitePage): Entry => ({ label: title, link: `/${address}` })

/** What stands in the section itself comes first. */
const placeOf = (section: string, title: string | null) =>
  title === null ? -1 : groups.findIndex((group) => group.section === section && group.title === title)

const isCollapsed = (section: string, title: string) =>
  groups.some((group) => group.section === section && group.title === title && group.collapsed === true)
