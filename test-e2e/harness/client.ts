/** A plain client of the public API, as thin as curl. */
import type { Addresses } from './standalone.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the API answered
  body: any
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  text?: string
  headers?: Record<string, string>
  key?: string | null
}

export type Client = (path: string, o?: CallOptions) => Promise<Answer>

export function clientOf(at: Addresses, apiKey: string = at.api_key): Client {
  return async (path, o = {}) => {
    const key = o.key === undefined ? apiKey : o.key
    const headers: Record<string, string> = { ...o.headers }
    if (key !== null) headers.authorization = `Bearer ${key}`
    if (o.json !== undefined) headers['content-type'] ??= 'application/json'
    const body = o.json === undefined ? o.text : JSON.stringify(o.json)
    const response = await fetch(`${at.base_url}${path}`, {
      method: o.method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      signal: AbortSignal.timeout(60_000),
      body: body ?? null,
    })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
  }
}

/** Uploads CSV to the sample integration, or to the one given. */
export function uploadStats(client: Client, integrationId: string, csv: string): Promise<Answer> {
  return client(`/v1/imports?type=stats&integration_id=${integrationId}`, {
    text: csv,
    headers: { 'content-type': 'text/csv' },
  })
}

export interface Received {
  path: string
  headers: Record<string, string>
  body: string
  verified: boolean | null
}

/** What the receiver holds, oldest first. */
export async function receivedBy(at: Addresses): Promise<Received[]> {
  const response = await fetch(`${at.receiver_url}/received?limit=10000`)
  const answer = (await response.json()) as { received?: Received[]; data?: Received[] } | Received[]
  const list = Array.isArray(answer) ? answer : (answer.received ?? answer.data ?? [])
  return [...list].reverse()
}

export async function controlReceiver(at: Addresses, mode: 'ok' | 'fail' | 'hang' | 'down'): Promise<void> {
  const response = await fetch(`${at.receiver_url}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
  })
  if (!response.ok) throw new Error(`the receiver refused the mode ${mode}: ${response.status}`)
}
