/** Calls of the sample data through the public doors, with a deadline each. */
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../start-error.ts'

export interface SampleCall {
  token: string
  /** An object is sent as JSON; a text as it is, with its content type. */
  body?: object | { text: string; contentType: string }
  /** Idempotency-Key: a repeated call makes nothing twice. */
  key?: string
  /** If-Match: what changes money says which version it has seen. */
  ifMatch?: string
  method?: string
}

export interface SampleAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
}

const isText = (body: object): body is { text: string; contentType: string } => 'contentType' in body

export async function call(url: string, o: SampleCall): Promise<SampleAnswer> {
  const headers: Record<string, string> = { authorization: `Bearer ${o.token}` }
  const { body } = o
  if (body !== undefined) headers['content-type'] = isText(body) ? body.contentType : 'application/json'
  if (o.key !== undefined) headers['idempotency-key'] = o.key
  if (o.ifMatch !== undefined) headers['if-match'] = o.ifMatch
  const response = await fetch(url, {
    method: o.method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    signal: AbortSignal.timeout(10_000),
    body: body === undefined ? null : isText(body) ? body.text : JSON.stringify(body),
  })
  return { status: response.status, body: await response.json().catch(() => ({})) }
}

/** The body of a 2xx answer. @throws StartError with what was refused. */
export async function ask(what: string, url: string, o: SampleCall): Promise<SampleAnswer['body']> {
  const { status, body } = await call(url, o)
  if (status < 200 || status > 299) throw new StartError(`${what} was refused (${status}): ${String(body.detail)}`)
  return body
}

/** Polls until it holds. An answer that does not come counts as one that does not fit. @throws StartError after `withinMs`. */
export async function waitUntil(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new StartError(`${what}: not within ${withinMs / 1_000} s, see the logs`)
    await sleep(100)
  }
}
