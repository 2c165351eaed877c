// Decides which addresses a feed's template stands for (domain.md 4.2): `{from}` and `{to}` in path or query, never in the host, and which
// links to further pages are followed.
import { addDays, dayNumber, startOfDayMs } from '../../calendar/domain/calendar.ts'

export const dateParamFormats = ['YYYY-MM-DD', 'YYYYMMDD', 'DD/MM/YYYY', 'unix'] as const
export type DateParamFormat = (typeof dateParamFormats)[number]

/** Stand for the days while the template is parsed: no parser changes them. */
const marks = { from: 'wdsfromday', to: 'wdstoday' } as const

function marked(template: string): string {
  return template.replaceAll('{from}', marks.from).replaceAll('{to}', marks.to)
}

/** Why the template is none, or null. The address rule is asked about what it stands for. */
export function templateFault(template: string): string | null {
  if (!URL.canParse(marked(template))) return 'Must be an absolute URL such as https://example.com/report?from={from}.'
  const { origin } = new URL(marked(template))
  return Object.values(marks).some((mark) => origin.includes(mark)) ? 'A day may not stand in the host.' : null
}

/** The template in the form that is stored: as the one parser reads it. */
export function serialisedTemplate(template: string): string {
  return new URL(marked(template)).href.replaceAll(marks.from, '{from}').replaceAll(marks.to, '{to}')
}

/** Scheme, host and port of the addresses. */
export function originOf(template: string): string {
  return new URL(marked(template)).origin
}

/** Whether the source is asked for the days of a window: then its answer covers them (domain.md 4.5.6). */
export function asksForDays(template: string): boolean {
  return template.includes('{from}') && template.includes('{to}')
}

/** The address for a window; days are those of the source's zone. `unix`: seconds of the first instant of `from` and the last of `to`. */
export function feedUrl(o: {
  template: string
  format: DateParamFormat
  window: { from: string; to: string }
  zone: string
}): string {
  const { format, window, zone } = o
  const from = format === 'unix' ? String(startOfDayMs(window.from, zone) / 1000) : written(window.from, format)
  const to =
    format === 'unix' ? String(startOfDayMs(addDays(window.to, 1), zone) / 1000 - 1) : written(window.to, format)
  return o.template.replaceAll('{from}', encodeURIComponent(from)).replaceAll('{to}', encodeURIComponent(to))
}

function written(day: string, format: Exclude<DateParamFormat, 'unix'>): string {
  if (dayNumber(day) === null) throw new Error('a window has calendar dates')
  if (format === 'YYYYMMDD') return day.replaceAll('-', '')
  return format === 'DD/MM/YYYY' ? `${day.slice(8, 10)}/${day.slice(5, 7)}/${day.slice(0, 4)}` : day
}

/** The address that a link of a page leads to; null where it leaves the feed's origin, whose credentials go with it. */
export function followedLink(link: string, page: string): string | null {
  if (link.length > 2_048 || !URL.canParse(link, page)) return null
  const next = new URL(link, page)
  next.hash = ''
  return next.origin === new URL(page).origin && next.username === '' && next.password === '' ? next.href : null
}

/** The target of `rel="next"` in a Link header (RFC 8288), or null. */
export function nextOfLinkHeader(header: string): string | null {
  for (const [, target = '', parameters = ''] of header.slice(0, 16_384).matchAll(/<([^<>]*)>([^<]*)/g)) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters)
    const relations = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/)
    if (relations.includes('next')) return target
  }
  return null
}
