// Finds what the built pages point at and the site does not have: pages, files, anchors, and anything of another origin that is loaded. Pure.

export interface LinkReport {
  /** One line each; none is good. */
  faults: string[]
  /** How many links, pictures, scripts and styles were looked at. */
  count: number
  /** Addresses of other origins, to which a reader may go by a link. */
  outside: string[]
}

const mark = /<(?:!--[\s\S]*?-->|(a|link|script|img|source|iframe)\b([^>]*)>)/gi
const target = /\s(?:href|src)=(?:"([^"]*)"|'([^']*)')/i
const named = /\s(?:id|name)=(?:"([^"]*)"|'([^']*)')/gi

/** `pages`: HTML by path on the server, `/docs/x/`. `files`: paths of everything else that the site has. `elsewhere`: paths of the same origin that others serve. */
export function checkLinks(
  pages: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
  elsewhere: RegExp,
): LinkReport {
  const anchors = new Map([...pages].map(([path, html]) => [path, anchorsOf(html)]))
  const report: LinkReport = { faults: [], count: 0, outside: [] }
  const outside = new Set<string>()
  for (const [page, html] of pages) {
    for (const [, kind = '', attributes = ''] of html.matchAll(mark)) {
      const found = target.exec(attributes)
      if (found === null) continue
      const to = (found[1] ?? found[2] ?? '').replaceAll('&amp;', '&')
      report.count += 1
      const isLoaded = kind.toLowerCase() !== 'a'
      const reason = faultOf(page, to, isLoaded)
      if (reason !== null) report.faults.push(`${page}: ${to}: ${reason}`)
    }
  }
  report.outside = [...outside].sort()
  return report

  function faultOf(page: string, to: string, isLoaded: boolean): string | null {
    if (/^(?:data|mailto):/.test(to)) return null
    const url = new URL(to, `http://site.invalid${page}`)
    if (url.host !== 'site.invalid') {
      outside.add(url.href)
      return isLoaded ? 'it is loaded from another origin' : null
    }
    const path = decodeURI(url.pathname)
    if (elsewhere.test(path)) return null
    const known = anchors.get(path)
    if (known === undefined) return files.has(path) ? null : 'there is no such page'
    if (url.hash === '' || isLoaded) return null
    return known.has(decodeURIComponent(url.hash.slice(1))) ? null : 'the page has no such anchor'
  }
}

function anchorsOf(html: string): Set<string> {
  return new Set(['', '_top', ...[...html.matchAll(named)].map(([, one, other]) => one ?? other ?? '')])
}
