// What a bulk replay is asked to replay, and in which order it goes through it: source by source, each by ascending key. It never reads
// anything: rows come from the stores.
import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import { idDay } from '@wds/contracts/ids'
import type { DeadReason } from '@wds/contracts/states'
import { shownDays } from '../../days/domain/shown-days.ts'

/** Of a period: stored deliveries of these states, and events that matched and have no delivery. */
export type PeriodStatus = 'dead' | 'retry' | 'delivered' | 'missing'

/** Up to 100 deliveries, a period of one subscription, or the dead letters of a filter. `since` and `until` bound the event's `created`. */
export type Selection =
  | { scope: 'deliveries'; delivery_ids: string[] }
  | { scope: 'period'; since: string; until: string; status: PeriodStatus[]; types: string[] }
  | {
      scope: 'dead_letters'
      since: string
      until: string
      type: string | null
      reason: DeadReason | null
      /** Of the last attempt; `none` where it had none. */
      error_code: AttemptErrorCode | 'none' | null
      /** Of the last answer: `5xx`. */
      status_class: string | null
    }

/** Where rows are looked for: ids that were named, the list of the dead, the history of a subscription, the events of a workspace. */
export type Source = 'named' | 'dead' | 'history' | 'events'

/** How far a walk has come: everything up to this key of this source was looked at: an id, or day and position of an event. */
export interface Place {
  source: Source
  after: string
}

/** The sources of a selection, in order. The list of the dead is far shorter than the history. */
export function sourcesOf(selection: Selection): Source[] {
  if (selection.scope === 'deliveries') return ['named']
  if (selection.scope === 'dead_letters') return ['dead']
  const { status } = selection
  const isStoredOnly = status.includes('retry') || status.includes('delivered')
  return [
    ...(isStoredOnly ? (['history'] as const) : status.includes('dead') ? (['dead'] as const) : []),
    ...(status.includes('missing') ? (['events'] as const) : []),
  ]
}

/** Where a walk begins. */
export function firstPlace(selection: Selection): Place {
  const [source] = sourcesOf(selection)
  if (source === undefined) throw new Error('a selection selects something')
  return { source, after: '' }
}

/** Where a walk goes on behind the end of a source; null: nowhere. */
export function placeBehind(selection: Selection, source: Source): Place | null {
  const sources = sourcesOf(selection)
  const next = sources[sources.indexOf(source) + 1]
  return next === undefined ? null : { source: next, after: '' }
}

const dayMs = 86_400_000

/** The first instant of the oldest day that can be replayed. */
export function replayableSinceMs(nowMs: number): number {
  return (Math.floor(nowMs / dayMs) - shownDays + 1) * dayMs
}

/** Whether the event (or the delivery, whose id carries the same time) is too old to be replayed. */
export function isExpired(id: string, nowMs: number): boolean {
  return Date.parse(idDay(id)) < replayableSinceMs(nowMs)
}
