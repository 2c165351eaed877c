// Judges what a bulk replay is asked for: the period, the types, the deliveries that were named. It stores nothing.
import { load } from '@wds/aggregate/aggregate'
import { isId } from '@wds/contracts/ids'
import { type Fault, Problem, problemOfFaults } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { readableMs } from '../days/store.ts'
import { requireEventType } from '../deliveries/require-event-type.ts'
import type { NewReplayOfDeadLetters, NewReplayOfWebhook } from '../openapi.generated.ts'
import { patternFaults } from '../subscriptions/judge-fields.ts'
import { subscriptions } from '../subscriptions/resource.ts'
import { isExpired, replayableSinceMs, type Selection } from './domain/selection.ts'
import { subscriptionsOf } from './store-walk.ts'

/** A period of one subscription, or some of its deliveries. */
export function selectionOfWebhook(body: NewReplayOfWebhook, nowMs: number): Selection {
  const { delivery_ids, since, until, status, types } = body
  if (delivery_ids !== undefined) {
    const beside = Object.entries({ since, until, status, types }).filter(([, value]) => value !== undefined)
    return named(
      delivery_ids,
      beside.map(([name]) => name),
    )
  }
  if (since === undefined) {
    const detail = 'Either since or delivery_ids is required.'
    throw problemOfFaults([{ pointer: '/since', code: 'required', detail }])
  }
  const wrongTypes = patternFaults(types ?? [], '/types')
  if (wrongTypes.length > 0) throw problemOfFaults(wrongTypes)
  const period = judgePeriod({ since, until: until ?? instant(nowMs) }, nowMs)
  return { scope: 'period', ...period, status: status ?? ['dead', 'missing'], types: types ?? ['*'] }
}

/** Dead letters by the filters of their list, or deliveries of whatever subscription. */
export function selectionOfDeadLetters(body: NewReplayOfDeadLetters, nowMs: number): Selection {
  const { delivery_ids, since, until, webhook_id, type, reason, error_code, status_class } = body
  if (delivery_ids !== undefined) {
    const beside = Object.entries({ since, until, webhook_id, type, reason, error_code, status_class })
    return named(
      delivery_ids,
      beside.filter(([, value]) => value !== undefined).map(([name]) => name),
    )
  }
  requireEventType(type, { pointer: '/type' })
  const untilNow = until ?? instant(nowMs)
  const period =
    since === undefined
      ? // Longer than they can be replayed: the counts name those that are too old as left out.
        {
          since: instant(nowMs - readableMs),
          until: judgeUntil({ until: untilNow, sinceMs: nowMs - readableMs }, nowMs),
        }
      : judgePeriod({ since, until: untilNow }, nowMs)
  const filter = { type: type ?? null, reason: reason ?? null, error_code: error_code ?? null }
  return { scope: 'dead_letters', ...period, ...filter, status_class: status_class ?? null }
}

const instant = (ms: number): string => new Date(ms).toISOString()

function named(delivery_ids: string[], beside: string[]): Selection {
  if (beside.length === 0) return { scope: 'deliveries', delivery_ids: delivery_ids.toSorted() }
  const detail = 'Not together with delivery_ids.'
  throw problemOfFaults(beside.map((name) => ({ pointer: `/${name}`, code: 'invalid_value', detail })))
}

/** Within the days that are kept, which bounds its length as well. */
function judgePeriod(o: { since: string; until: string }, nowMs: number): { since: string; until: string } {
  const sinceMs = Date.parse(o.since)
  const oldestMs = replayableSinceMs(nowMs)
  if (sinceMs < oldestMs) {
    const detail = `The oldest events that can be replayed are of ${instant(oldestMs)}.`
    throw problemOfFaults([{ pointer: '/since', code: 'period_too_old', detail }])
  }
  if (sinceMs > nowMs) throw problemOfFaults([{ pointer: '/since', code: 'out_of_range', detail: inFuture }])
  return { since: instant(sinceMs), until: judgeUntil({ until: o.until, sinceMs }, nowMs) }
}

const inFuture = 'It must not lie in the future.'

function judgeUntil({ until, sinceMs }: { until: string; sinceMs: number }, nowMs: number): string {
  const untilMs = Date.parse(until)
  if (untilMs > nowMs || untilMs < sinceMs) {
    const detail = untilMs > nowMs ? inFuture : 'It must not lie before since.'
    throw problemOfFaults([{ pointer: '/until', code: 'out_of_range', detail }])
  }
  return instant(untilMs)
}

/** 404 where it is missing or another workspace's, 409 where nothing is sent to it. */
export async function requireEnabled(tx: Transaction, webhookId: string, pointer?: string): Promise<void> {
  const found = isId('whk', webhookId) ? await load(tx, subscriptions, webhookId, { lock: false }) : null
  if (found === null || found.state.status === 'deleted') throw missing(pointer)
  if (found.state.status === 'disabled') throw new Problem('webhook_disabled')
}

/** Those that are missing, or another workspace's or subscription's: 404, all of them named. One that is too old: 409. */
export async function requireNamed(
  tx: Transaction,
  { webhookId, selection }: { webhookId: string | null; selection: Selection },
  nowMs: number,
): Promise<void> {
  if (selection.scope !== 'deliveries') return
  const ids = selection.delivery_ids
  if (ids.some((id) => isExpired(id, nowMs))) throw new Problem('event_expired')
  const known = await subscriptionsOf(tx, ids)
  const isForeign = (id: string) => !known.has(id) || (webhookId !== null && known.get(id) !== webhookId)
  const foreign = ids.filter(isForeign)
  if (foreign.length === 0) return
  const errors = foreign.map((id): Fault => {
    return { pointer: '/delivery_ids', code: 'not_found', detail: `There is no delivery ${id}.` }
  })
  throw new Problem('not_found', { detail: 'Not all of the deliveries exist.', errors })
}

function missing(pointer: string | undefined): Problem {
  const detail = 'There is no such subscription.'
  return new Problem('not_found', pointer === undefined ? {} : { errors: [{ pointer, code: 'not_found', detail }] })
}
