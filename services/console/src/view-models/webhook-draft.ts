// A subscription as a form holds it, and as the API takes it.

type Scalar = string | number | boolean | null

export interface Condition {
  pointer: string
  op: string
  value: unknown
}

export interface WebhookDraft {
  url: string
  events: readonly string[]
  description: string
  headers: readonly { name: string; value: string }[]
  /** `value`: as typed. */
  filter: readonly { pointer: string; op: string; value: string }[]
  /** Deliveries per second, as typed; '' for none. */
  rateLimit: string
}

export const emptyDraft: WebhookDraft = { url: '', events: [], description: '', headers: [], filter: [], rateLimit: '' }

export const filterOps = ['eq', 'neq', 'in', 'gt', 'lt', 'exists'] as const

interface Fields {
  url: string
  events: string[]
  description: string | null
  headers: Record<string, string>
  filter: { all: Condition[] } | null
  rate_limit: number | null
}

export function draftOfWebhook(webhook: {
  url: string
  events: readonly string[]
  description: string | null
  headers: Readonly<Record<string, string>>
  filter?: { all: readonly { pointer: string; op: string; value: unknown }[] } | null
  rate_limit: number | null
}): WebhookDraft {
  return {
    url: webhook.url,
    events: webhook.events,
    description: webhook.description ?? '',
    headers: Object.entries(webhook.headers).map(([name, value]) => ({ name, value })),
    filter: (webhook.filter?.all ?? []).map(({ pointer, op, value }) => ({ pointer, op, value: textOf(value) })),
    rateLimit: webhook.rate_limit === null ? '' : String(webhook.rate_limit),
  }
}

/** As a new subscription takes it. Rows that are wholly empty are left out. */
export function fieldsOfWebhook(draft: WebhookDraft): Fields {
  const headers = draft.headers.filter(({ name, value }) => name.trim() !== '' || value !== '')
  const filter = draft.filter.filter(({ pointer, value }) => pointer.trim() !== '' || value !== '')
  return {
    url: draft.url.trim(),
    events: [...draft.events],
    description: draft.description.trim() || null,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value])),
    filter:
      filter.length === 0
        ? null
        : { all: filter.map((row) => ({ ...row, pointer: row.pointer.trim(), value: typedValue(row) })) },
    rate_limit: draft.rateLimit.trim() === '' ? null : Number(draft.rateLimit),
  }
}

/** What is wrong with the form of an address, or null; whether it may be reached the API judges. */
export function urlFault(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url === null) return 'Must be an absolute URL such as https://example.com/hooks.'
  if (
    url.protocol !== 'https:' &&
    !(url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname))
  )
    return 'Must begin with https.'
  if (url.username !== '' || url.password !== '')
    return 'Must not hold a user name or password; send them in a custom header.'
  if (url.hash !== '') return 'Must not have a fragment (#…).'
  return null
}

/** `42`, `true` and `null` are what they look like; in quotes, or else, it is a text. Of `in` a list by commas. */
function typedValue({ op, value }: { op: string; value: string }): unknown {
  return op === 'in' ? value.split(',').map((part) => scalarOf(part.trim())) : scalarOf(value)
}

function scalarOf(text: string): Scalar {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Scalar
  } catch {
    // A text without quotes.
  }
  return text
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  // A text that would be read as something else keeps its quotes.
  return typeof value === 'string' && scalarOf(value) === value ? value : JSON.stringify(value)
}
