// Decides the life of a stats day: the machine of domain.md 7. What was seen of the day comes in as an observation; nothing here reads
// a clock, counts rows or knows of a database. A day never goes back.
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'
import {
  deadlineMs,
  type Expected,
  missingOf,
  type Observation,
  planFinal,
  planProvisional,
  type WaitingDay,
  watermarkOf,
} from './day-wait.ts'

/** The machine: for each state the actions allowed and the states each may lead to. */
export const statsDayMachine = {
  none: { look: ['none', 'open', 'provisional'], roll_up: ['final'] },
  open: { look: ['open', 'provisional'], roll_up: ['final'] },
  provisional: { look: ['provisional'], roll_up: ['final'] },
  final: { look: ['final'], roll_up: ['final'] },
} as const
export type StatsDayStatus = keyof typeof statsDayMachine

export type RevisionCause = 'ready' | 'sync' | 'settings'
export interface Revision {
  revision: number
  created_ms: number
  checksum: string
  cause: RevisionCause
}

export interface StatsDayState extends WaitingDay {
  status: StatsDayStatus
  date: string
  complete: boolean
  /** Final: whose rows the day holds or who reported; and whom it did not wait for any longer. Before: nobody, and whom it waits for. */
  included: string[]
  missing: string[]
  row_count: number
  /** From the first one, `ready`, on. */
  revisions: Revision[]
}

/** What the rows of a day came to. */
export interface Rollup {
  checksum: string
  rowCount: number
  /** Whose rows they are. */
  integrations: string[]
  /** Against the rollup before. */
  changes: { brandSlugs: string[]; metrics: string[]; largestChangePct: number | null }
}

export type StatsDayCommand =
  | { type: 'look'; seen: Observation }
  | { type: 'roll_up'; seen: Observation; rollup: Rollup }

interface Ready {
  at_ms: number
  time_zone: string
  checksum: string
  row_count: number
  complete: boolean
  included: string[]
  missing: string[]
}
interface Restated {
  at_ms: number
  time_zone: string
  revision: number
  checksum: string
  row_count: number
  brand_slugs: string[]
  metrics_changed: string[]
  largest_change_pct: number | null
  cause: 'sync' | 'settings'
  sync_run_id: string | null
}

export type StatsDayEvent =
  | { type: 'DayOpened'; data: { date: string; time_zone: string } }
  | { type: 'DayFound'; data: { date: string; time_zone: string } }
  | { type: 'DayEnded'; data: { expected: Expected[]; max_wait_hours: number } }
  | { type: 'DayRezoned'; data: { time_zone: string } }
  | { type: 'ExpectationDropped'; data: { integration_ids: string[] } }
  | { type: 'ReportsReceived'; data: { missing: string[] } }
  | { type: 'WatermarkReached'; data: { watermark_ms: number } }
  | { type: 'DayDelayed'; data: { time_zone: string; deadline_ms: number; waiting_for: string[] } }
  | { type: 'DayReady'; data: Ready }
  | { type: 'DayRestated'; data: Restated }

const initialState: StatsDayState = {
  status: 'none',
  date: '',
  time_zone: 'UTC',
  expected: [],
  max_wait_hours: 0,
  late: false,
  complete: false,
  watermark_ms: null,
  included: [],
  missing: [],
  row_count: 0,
  revisions: [],
}

function evolve(state: StatsDayState, event: StatsDayEvent): StatsDayState {
  switch (event.type) {
    case 'DayOpened':
      return { ...initialState, status: 'open', ...event.data }
    case 'DayFound':
      return { ...initialState, status: 'provisional', ...event.data }
    case 'DayEnded': {
      const missing = event.data.expected.map(({ integration_id }) => integration_id)
      return { ...state, status: 'provisional', ...event.data, missing }
    }
    case 'DayRezoned':
      return { ...state, time_zone: event.data.time_zone }
    case 'ExpectationDropped': {
      const stays = (id: string) => !event.data.integration_ids.includes(id)
      const expected = state.expected.filter(({ integration_id }) => stays(integration_id))
      return { ...state, expected, missing: state.missing.filter(stays) }
    }
    case 'ReportsReceived':
      return { ...state, missing: event.data.missing }
    case 'WatermarkReached':
      return { ...state, watermark_ms: event.data.watermark_ms, missing: [] }
    case 'DayDelayed':
      return { ...state, late: true, missing: event.data.waiting_for }
    case 'DayReady': {
      const { at_ms: created_ms, time_zone, checksum, ...rest } = event.data
      return { ...state, ...rest, time_zone, status: 'final', revisions: [first({ created_ms, checksum })] }
    }
    case 'DayRestated': {
      const { at_ms: created_ms, time_zone, revision, checksum, row_count, cause } = event.data
      const revisions = [...state.revisions, { revision, created_ms, checksum, cause }]
      return { ...state, time_zone, row_count, revisions }
    }
  }
}

function first({ created_ms, checksum }: { created_ms: number; checksum: string }): Revision {
  return { revision: 1, created_ms, checksum, cause: 'ready' }
}

/** What is to be done about a day as it is seen: what has happened to it, and then rolling it up, or looking again. */
export interface Plan {
  events: StatsDayEvent[]
  /** Roll it up now. Else look again at `dueMs`, or when something happens. */
  rollUp: boolean
  dueMs: number | null
}

/** Decides what the observation makes of the day. */
export function planDay(state: StatsDayState, seen: Observation): Plan {
  const events: StatsDayEvent[] = []
  let now = state
  const happen = (event: StatsDayEvent) => {
    events.push(event)
    now = evolve(now, event)
  }
  const { date, timeZone: time_zone, atMs, endMs } = seen
  if (now.status === 'none') {
    // A source that counts by a zone further east has its rows already.
    if (atMs < seen.startMs) return { events, rollUp: false, dueMs: seen.startMs }
    if (!seen.isBackfilled) happen({ type: 'DayOpened', data: { date, time_zone } })
    // A day before the first integration is there because it holds rows; later than now it is not there at all.
    else if (seen.hasRows && atMs >= endMs) happen({ type: 'DayFound', data: { date, time_zone } })
    else return { events, rollUp: false, dueMs: seen.hasRows ? endMs : null }
  }
  if (now.status !== 'final' && now.time_zone !== time_zone) happen({ type: 'DayRezoned', data: { time_zone } })
  if (now.status === 'open') {
    if (atMs < endMs) return { events, rollUp: false, dueMs: endMs }
    const data = { expected: seen.expectable, max_wait_hours: seen.rules.maxWaitHours }
    happen({ type: 'DayEnded', data })
  }
  if (now.status === 'final') return { events, ...planFinal(now, seen) }
  const gone = now.expected.map(({ integration_id }) => integration_id).filter((id) => seen.gone.includes(id))
  if (gone.length > 0) happen({ type: 'ExpectationDropped', data: { integration_ids: gone } })
  const missing = missingOf(now, seen)
  const watermarkMs = watermarkOf(now, seen)
  if (now.watermark_ms === null && watermarkMs !== null)
    happen({ type: 'WatermarkReached', data: { watermark_ms: watermarkMs } })
  else if (missing.length !== now.missing.length) happen({ type: 'ReportsReceived', data: { missing } })
  const next = planProvisional(now, seen)
  if (next.isLate && !now.late) {
    const data = { time_zone, deadline_ms: deadlineMs(now, seen), waiting_for: missingOf(now, seen) }
    happen({ type: 'DayDelayed', data })
  }
  return { events, rollUp: next.rollUp, dueMs: next.dueMs }
}

export const statsDayDecider: Decider<StatsDayState, StatsDayCommand, StatsDayEvent, InvalidState> = {
  initialState,
  evolve,
  decide(state, command) {
    const plan = planDay(state, command.seen)
    if (command.type === 'look') return accept<StatsDayEvent>(...plan.events)
    // Rolled up too early it would be told stable while it is not.
    if (!plan.rollUp) return reject({ code: 'invalid_state', current_status: state.status, allowed: ['look'] })
    const now = plan.events.reduce(evolve, state)
    const { rollup, seen } = command
    if (now.status !== 'final') return accept<StatsDayEvent>(...plan.events, ready(now, seen, rollup))
    return accept<StatsDayEvent>(...plan.events, ...restated(now, seen, rollup))
  },
}

function ready(state: StatsDayState, seen: Observation, rollup: Rollup): StatsDayEvent {
  const missing = missingOf(state, seen)
  const hasReported = state.expected.map(({ integration_id }) => integration_id).filter((id) => !missing.includes(id))
  const included = [...new Set([...hasReported, ...rollup.integrations])].filter((id) => !missing.includes(id)).sort()
  const { checksum, rowCount: row_count } = rollup
  const { atMs: at_ms, timeZone: time_zone } = seen
  const complete = missing.length === 0
  return { type: 'DayReady', data: { at_ms, time_zone, checksum, row_count, complete, included, missing } }
}

/** Equal rows are no restatement, whatever happened to them meanwhile; another zone may leave a day as it is. */
function restated(state: StatsDayState, seen: Observation, rollup: Rollup): StatsDayEvent[] {
  const last = state.revisions.at(-1)
  const { atMs: at_ms, timeZone: time_zone, pending } = seen
  if (last?.checksum === rollup.checksum)
    return state.time_zone === time_zone ? [] : [{ type: 'DayRezoned', data: { time_zone } }]
  const { brandSlugs: brand_slugs, metrics: metrics_changed, largestChangePct: largest_change_pct } = rollup.changes
  const { checksum, rowCount: row_count } = rollup
  const [revision, cause] = [(last?.revision ?? 0) + 1, pending?.cause ?? 'settings']
  const why = { cause, sync_run_id: cause === 'sync' ? (pending?.syncRunId ?? null) : null }
  const what = { revision, checksum, row_count, brand_slugs, metrics_changed, largest_change_pct }
  return [{ type: 'DayRestated', data: { at_ms, time_zone, ...what, ...why } }]
}
