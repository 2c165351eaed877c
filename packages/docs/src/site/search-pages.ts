// What the search knows of the pages that another program makes. The generator builds a page of words in the place of each, the index of the
// search is made of these, and the page that readers get is put over it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagesByOthers } from './navigation.ts'
import { atWeight, behind } from './search-weight.ts'
import type { SitePage } from './source-pages.ts'

interface Documented {
  paths: Record<string, Record<string, { summary?: string }>>
}

/** How people look for what stands there under another name. */
const otherNames: Readonly<Record<string, string>> = { 'api/': 'OpenAPI', 'event-log/': 'AsyncAPI' }

export function searchPages(repository: string): SitePage[] {
  return Object.values(pagesByOthers)
    .flat()
    .map(({ title, address, description }) => {
      const other = otherNames[address]
      return {
        address,
        title: other === undefined ? title : `${title} (${other})`,
        description,
        body: address === 'api/' ? `${description}\n\n${callsOf(repository)}` : description,
        section: null,
        group: null,
        isListed: false,
      }
    })
}

/** Each call in a line, behind the pages that say how it is used. */
function callsOf(repository: string): string {
  const source = readFileSync(join(repository, 'services/api/openapi.generated.json'), 'utf8')
  const { paths } = JSON.parse(source) as Documented
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { summary }]) =>
      summary === undefined ? [] : [`- ${summary}: \`${method.toUpperCase()} ${path}\``],
    ),
  )
  return atWeight(behind, lines.join('\n'))
}
