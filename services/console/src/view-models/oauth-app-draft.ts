// What is typed into the form of an OAuth app: read from a link or an app, judged row by row, and written as the API takes it.
import { redirectUrlFault } from '@wds/contracts/redirect-url'
import { scopes as allScopes, isScope, type Scope } from '@wds/contracts/scopes'

export interface AppDraft {
  name: string
  /** One per row; an empty row counts for nothing. */
  redirectUrls: string[]
  scopes: Scope[]
  state: 'live' | 'development'
}

export const emptyAppDraft: AppDraft = { name: '', redirectUrls: [''], scopes: [], state: 'live' }

export const redirectUrlsMax = 10
export const logoBytesMax = 1_048_576
export const logoTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']

/** Of a link such as `?name=…&redirect_url=a,b&scopes=stats:read`: it fills fields and never submits (ui.md 2). What is no scope is left out. */
export function draftOfLink(search: Readonly<Record<string, unknown>>): AppDraft {
  const textOf = (name: string) => (typeof search[name] === 'string' ? (search[name] as string) : '')
  // A URL may hold a comma: only one before another address parts two.
  const urls = textOf('redirect_url')
    .split(/,(?=https?:\/\/)/)
    .slice(0, redirectUrlsMax)
  const asked = textOf('scopes').split(/[ ,]+/)
  return {
    name: textOf('name').slice(0, 50),
    redirectUrls: urls,
    scopes: allScopes.filter((scope) => asked.includes(scope)),
    state: textOf('state') === 'development' ? 'development' : 'live',
  }
}

interface App {
  name: string
  redirect_urls: string[]
  scopes: string[]
  state: 'live' | 'development' | 'suspended'
}

/** A suspended app keeps the rules of one that is live. */
export function draftOfApp({ name, redirect_urls, scopes, state }: App): AppDraft {
  return {
    name,
    redirectUrls: [...redirect_urls],
    scopes: scopes.filter(isScope),
    state: state === 'development' ? 'development' : 'live',
  }
}

/** Rows that were left empty are not sent. */
export function fieldsOfApp({ name, redirectUrls, scopes }: AppDraft) {
  return { name: name.trim(), redirect_urls: redirectUrls.map((url) => url.trim()).filter((url) => url !== ''), scopes }
}

/** Which of the rows is the URL of this place among those that are sent; the answer's pointers count without the empty ones. */
export function rowOfPlace({ redirectUrls }: AppDraft, place: number): number {
  return redirectUrls.flatMap((url, row) => (url.trim() === '' ? [] : [row]))[place] ?? -1
}

/** The reason of each row; null where there is none, or nothing is typed. A second row of one URL says so. */
export function rowFaults({ redirectUrls, state }: AppDraft): (string | null)[] {
  const urls = redirectUrls.map((url) => url.trim())
  return urls.map((url, row) => {
    if (url === '') return null
    if (urls.indexOf(url) < row) return 'Stands above already.'
    return redirectUrlFault(url, state)
  })
}

/** Why the file cannot be a logo, before it is sent; null: it may be one. */
export function logoFault(file: { type: string; size: number }): string | null {
  if (!logoTypes.includes(file.type)) return 'Must be a PNG, JPEG or WebP picture.'
  return file.size > logoBytesMax ? 'Must have at most 1 MiB.' : null
}

/** Host of the first redirect URL that can be read, as the consent page shows it; null: none. */
export function hostOfDraft({ redirectUrls }: AppDraft): string | null {
  const readable = redirectUrls.map((url) => url.trim()).find((url) => URL.canParse(url))
  return readable === undefined ? null : new URL(readable).host || null
}
