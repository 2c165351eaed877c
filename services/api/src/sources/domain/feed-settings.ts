// Decides what the settings of a feed may say beyond their JSON Schema (domain.md 4.2), and how a request for it is written.
import type { FieldFault } from '@wds/contracts/field-fault'
import { type DateParamFormat, templateFault } from './feed-url.ts'
import type { OnlyRule } from './only-rows.ts'
import { type MappingEntry, mappingFaults } from './row-mapping.ts'
import type { CsvForm } from './split-csv.ts'
import { pointerParts } from './split-json.ts'

/** Providers that ask an address of the user's own. */
export const feedProviders = ['http_csv', 'http_json'] as const
export type FeedProvider = (typeof feedProviders)[number]
export const authKinds = ['none', 'bearer', 'basic', 'header'] as const
export type AuthKind = (typeof authKinds)[number]
export const paginationKinds = ['none', 'link_header', 'json_pointer'] as const
export const encodings = ['utf-8', 'windows-1252'] as const

/** Settings of any pull; its schema (`feed-schemas.ts`) says which of them it takes. What is left out has the schema's default. */
export interface FeedSettings {
  url: string
  date_param_format?: DateParamFormat
  auth?: AuthKind
  headers?: Record<string, string>
  pagination?: (typeof paginationKinds)[number]
  next_pointer?: string
  rows_pointer?: string
  csv?: Partial<CsvForm> & { encoding?: (typeof encodings)[number]; decimal_comma?: boolean }
  only?: OnlyRule[]
  mapping?: MappingEntry[]
}

/** The secret part: which members depends on `auth`. */
export interface FeedCredentials {
  token?: string
  username?: string
  password?: string
  name?: string
  value?: string
}

/** What each kind of authentication needs, and nothing else. */
export const credentialsOf: Readonly<Record<AuthKind, readonly (keyof FeedCredentials)[]>> = {
  none: [],
  bearer: ['token'],
  basic: ['username', 'password'],
  header: ['name', 'value'],
}

/** Names that no setting may set: HTTP's own, and those that would carry a secret in the open. */
const refusedNames = new Set(
  'host authorization cookie connection keep-alive proxy-connection proxy-authorization transfer-encoding te trailer upgrade expect content-length accept-encoding'.split(
    ' ',
  ),
)
/** RFC 9110 5.6.2. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

/** Every fault of settings that fit their schema. */
export function feedFaults(settings: FeedSettings, granularity: 'hour' | 'day'): FieldFault[] {
  const faults = [...urlFaults(settings), ...headerFaults(settings.headers ?? {}), ...pagingFaults(settings)]
  for (const { index, code, detail } of settings.mapping ? mappingFaults(settings.mapping, granularity) : []) {
    faults.push({ pointer: index === null ? '/mapping' : `/mapping/${index}`, code, detail })
  }
  return faults
}

function urlFaults({ url }: FeedSettings): FieldFault[] {
  const detail = templateFault(url)
  return detail === null ? [] : [{ pointer: '/url', code: 'url_not_allowed', detail }]
}

function headerFaults(headers: Record<string, string>): FieldFault[] {
  const names = Object.keys(headers)
  return names.flatMap((name, place): FieldFault[] => {
    const pointer = `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (isRefusedName(name)) {
      const detail = 'This header cannot be set here; what is secret belongs into the credentials.'
      return [{ pointer, code: 'header_not_allowed', detail }]
    }
    const isSecond = names.slice(0, place).some((other) => other.toLowerCase() === name.toLowerCase())
    return isSecond ? [{ pointer, code: 'validation_failed', detail: 'The same name as another one.' }] : []
  })
}

/** Whether a header of this name is refused among the settings. */
function isRefusedName(name: string): boolean {
  return !headerName.test(name) || refusedNames.has(name.toLowerCase())
}

/** Whether credentials may be sent under this name; `Authorization` is the usual one. */
export function isCredentialName(name: string): boolean {
  return name.toLowerCase() === 'authorization' || !isRefusedName(name)
}

function pagingFaults(settings: FeedSettings): FieldFault[] {
  const { pagination = 'none', next_pointer, rows_pointer } = settings
  const faults: FieldFault[] = []
  const fault = (pointer: string, detail: string) => faults.push({ pointer, code: 'validation_failed', detail })
  if ((pagination === 'json_pointer') !== (next_pointer !== undefined)) {
    fault('/next_pointer', 'It is needed with pagination json_pointer, and has no use without.')
  }
  for (const [name, pointer] of Object.entries({ next_pointer, rows_pointer })) {
    if (pointer !== undefined && pointerParts(pointer) === null)
      fault(`/${name}`, 'Must be a JSON pointer, as /data/rows.')
  }
  return faults
}

/** The header that carries the credentials; none without. */
export function credentialHeaders(auth: AuthKind, credentials: FeedCredentials | null): Record<string, string> {
  const { token = '', username = '', password = '', name = '', value = '' } = credentials ?? {}
  switch (auth) {
    case 'none':
      return {}
    case 'bearer':
      return { authorization: `Bearer ${token}` }
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
    case 'header':
      return { [name.toLowerCase()]: value }
  }
}
