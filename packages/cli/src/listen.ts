// `listen`: forwards a workspace's events to an address on this machine, signed, and prints each with the answer.
import { randomBytes } from 'node:crypto'
import { createApiClient } from '@wds/api-client/client'
import { ApiProblem, NoAnswer } from '@wds/api-client/problem'
import type { Event } from '@wds/api-client/schemas'
import { generateSecret, isSecret } from '@wds/webhook-signature/secret'
import { type Command, secretOf, UsageError, type Values } from './command.ts'
import { followEvents } from './follow-events.ts'
import { type Forwarded, forwardEvent } from './forward-event.ts'
import { OperatorError } from './operator.ts'

const pauseMs = 1_000

/** What the options say, checked. */
interface ListenOptions {
  /** Null: the events are printed and sent nowhere. */
  to: string | null
  secret: string
  types: string[]
  /** Milliseconds before now, or an instant; null: from now on. */
  since: { agoMs: number } | { instant: string } | null
}

export const listen: Command['run'] = async ({ values, access, print, notify }) => {
  const options = parseOptions(values)
  const key = keyOf(values)
  const baseUrl = typeof values.api === 'string' ? values.api.replace(/\/$/, '') : access().baseUrl
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end)
  const show = values.json === true ? showAsJson(print) : showAsText(print, notify)
  try {
    await forwardAll({ options, key, baseUrl, signal: ending.signal, show })
  } catch (error) {
    if (!ending.signal.aborted) throw inWords(error, baseUrl)
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, end)
  }
}

interface Show {
  listening(o: { workspace: string; options: ListenOptions }): void
  event(event: Event, forwarded: Forwarded | null): void
  disconnected(reason: string): void
  reconnected(): void
  ended(o: { events: number; failed: number }): void
}

async function forwardAll(o: {
  options: ListenOptions
  key: string
  baseUrl: string
  signal: AbortSignal
  show: Show
}): Promise<void> {
  const { options, signal, show } = o
  // The API's clock says when now is: this machine's may be ahead, and events would be left out.
  let nowMs = Date.now()
  const client = createApiClient({
    baseUrl: o.baseUrl,
    bearer: () => o.key,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      nowMs = Date.parse(response.headers.get('date') ?? '') || nowMs
      return response
    },
  })
  const { data: workspace } = await client.get('/v1/workspace', { signal })
  const counts = { events: 0, failed: 0 }
  show.listening({ workspace: workspace.name, options })
  const since = sinceOf(options, nowMs)
  const { types, to, secret } = options
  const { disconnected: onDisconnected, reconnected: onReconnected } = show
  const events = followEvents({ client, types, since, signal, pauseMs, onDisconnected, onReconnected })
  for await (const event of events) {
    const forwarded = to === null ? null : await forwardEvent(event, { to, secret, signal })
    // Interrupted by Ctrl-C: neither forwarded nor failed.
    if (signal.aborted && forwarded?.status === null) break
    counts.events += 1
    if (forwarded !== null && !isTaken(forwarded)) counts.failed += 1
    show.event(event, forwarded)
  }
  show.ended(counts)
}

const isTaken = ({ status }: Forwarded) => status !== null && status >= 200 && status < 300

/** @throws UsageError */
function parseOptions(values: Values): ListenOptions {
  const { 'forward-to': to, events = '', since } = values
  const url = typeof to === 'string' ? URL.parse(to) : null
  if (to !== undefined && url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError('--forward-to is an address that begins with http:// or https://')
  const secret = values['secret-file'] === undefined ? generateSecret(randomBytes(24)) : secretOf(values, 'secret-file')
  if (!isSecret(secret)) throw new UsageError('the file of --secret-file holds no signing secret, whsec_…')
  const types = String(events)
    .split(',')
    .filter((type) => type !== '')
  return { to: url?.href ?? null, secret, types, since: since === undefined ? null : startOf(String(since)) }
}

const unitsMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function startOf(text: string): ListenOptions['since'] {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  if (unitMs !== undefined) return { agoMs: Number(count) * unitMs }
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new UsageError('--since is an instant such as 2026-11-18T09:30:00Z, or so long ago: 30s, 15m, 2h, 7d')
  return { instant: new Date(text).toISOString() }
}

function sinceOf({ since }: ListenOptions, nowMs: number): string {
  if (since !== null && 'instant' in since) return since.instant
  return new Date(nowMs - (since?.agoMs ?? 0)).toISOString()
}

function keyOf(values: Values): string {
  const key = values['key-file'] === undefined ? process.env.WDS_TOKEN : secretOf(values, 'key-file')
  if (key === undefined || key === '')
    throw new UsageError('no API key: put it into the variable WDS_TOKEN, or into a file and name it with --key-file')
  return key
}

function showAsText(print: (text: string) => void, notify: (text: string) => void): Show {
  const time = (text: string) => text.slice(11, 19)
  return {
    listening: ({ workspace, options }) => {
      const which = options.types.length === 0 ? 'all events' : options.types.join(', ')
      notify(`Listening to ${which} of ${workspace}. Ctrl-C ends it.`)
      if (options.to !== null) notify(`forwarding to   ${options.to}\nsigning secret  ${options.secret}\n`)
    },
    event: ({ created, type, id }, forwarded) =>
      print(`${time(created)}  ${type.padEnd(28)}  ${id}${outcomeOf(forwarded)}`),
    disconnected: (reason) => notify(`cannot reach the API, retrying: ${reason}`),
    reconnected: () => notify('reconnected; no event was skipped'),
    ended: ({ events, failed }) => notify(`${events} events${failed === 0 ? '' : `, ${failed} of them not taken`}`),
  }
}

function outcomeOf(forwarded: Forwarded | null): string {
  if (forwarded === null) return ''
  const { status, duration_ms, error } = forwarded
  return status === null ? `  not forwarded: ${error}` : `  ${status}  ${duration_ms} ms`
}

/** One object in a line for everything that happens, told apart by `line`. */
function showAsJson(print: (text: string) => void): Show {
  const line = (name: string, members: object) => print(JSON.stringify({ line: name, ...members }))
  return {
    listening: ({ workspace, options: { to, secret, types } }) =>
      line('listening', { workspace, types, forward_to: to, secret: to === null ? undefined : secret }),
    event: (event, forwarded) => line('event', { event, forwarded }),
    disconnected: (reason) => line('disconnected', { reason }),
    reconnected: () => line('reconnected', {}),
    ended: (counts) => line('ended', counts),
  }
}

/** One sentence for whoever typed the command. */
function inWords(error: unknown, baseUrl: string): unknown {
  if (error instanceof NoAnswer) return new OperatorError(`the API does not answer at ${baseUrl}: ${error.message}`)
  if (!(error instanceof ApiProblem)) return error
  if (error.status === 401) return new OperatorError('the API key is refused: it is unknown, revoked or expired')
  if (error.code === 'insufficient_scope') return new OperatorError('the key lacks the scope webhooks:manage')
  if (error.code === 'event_expired') return new OperatorError('events are kept for 30 days: begin later, with --since')
  const details = error.errors.map(({ detail }) => detail).filter((detail) => detail !== error.detail)
  return new OperatorError(`refused (${error.status}): ${[error.detail, ...details].join(' ')}`)
}
