// Decides the life of a stats day: the machine of domain.md 7. What was seen of the day comes in as an observation; nothing here reads
// a clock, counts rows or knows of a database. A day never goes back.
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'

/** The machine: for each state the actions allowed and the states each may lead to. */
export const statsDayMachine = {
  none: { look: ['none', 'open', 'provisional'], roll_up: ['final'] },
  open: { look: ['open', 'provisional'], roll_up: ['final'] },
  provisional: { look: ['provisional'], roll_up: ['final'] },
  final: { look: ['final'], roll_up: ['final'] },
} as const
export type StatsDayStatus = keyof typeof statsDayMachine

/** A member of the expected set: the day waits for its report. */
export interface Expected {
  integration_id: string
  settle_hours: number
}

export type RevisionCause = 'ready' | 'sync' | 'settings'
export interface Revision {
  revision: number
  created_ms: number
  checksum: string
  cause: RevisionCause
}

export interface StatsDayState {
  status: StatsDayStatus
  date: string
  time_zone: string
  /** The expected set, without those that left it. */
  expected: Expected[]
  max_wait_hours: number
  late: boolean
  complete: boolean
  watermark_ms: number | null
  /** Final: whose rows the day holds or who reported; and whom it did not wait for any longer. Before: nobody, and whom it waits for. */
  included: string[]
  missing: string[]
  row_count: number
  /** From the first one, `ready`, on. */
  revisions: Revision[]
}

/** What is seen of a day at an instant. */
export interface Observation {
  atMs: number
  date: string
  /** By which the workspace counts its days now, with the day's first instant and that of the next one. */
  timeZone: string
  startMs: number
  endMs: number
  /** The day was there before the workspace had an integration. */
  isBackfilled: boolean
  /** Integrations that count for it, if it ends now (domain.md 7). */
  expectable: Expected[]
  /** Of those that the day expects, who is paused or deleted. */
  gone: string[]
  /** By integration that the day expects: when the last successful run began that covers the day. */
  reported: Record<string, number>
  hasRows: boolean
  /** The last change of its rows; null where none is known. */
  changedMs: number | null
  /** The first change since it was rolled up, and why; null where nothing changed. */
  pending: { sinceMs: number; cause: 'sync' | 'settings'; syncRunId: string | null } | null
  rules: DayRules
}

export interface DayRules {
  /** Of the workspace's settings. */
  maxWaitHours: number
  /** How long the rows of a day that expects nobody rest before it is final. */
  restMs: number
  /** From the first change of a final day to the comparison. */
  restateMs: number
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

const hourMs = 3_600_000

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

/** When a provisional day is final: its watermark is reached and its rows rest, or it has waited long enough. Each day comes to its end. */
function planProvisional(state: StatsDayState, seen: Observation) {
  const { atMs, endMs, changedMs, rules } = seen
  if (state.expected.length === 0) {
    // Rows may still be brought for as long as one that is waited for may take (decision 72).
    const earliestMs = seen.hasRows ? endMs : latestMs(state, seen)
    const readyMs = Math.max(earliestMs, (changedMs ?? endMs) + rules.restMs)
    return { rollUp: atMs >= readyMs, dueMs: readyMs, isLate: false }
  }
  const settledMs = Math.max(endMs, (changedMs ?? endMs) + longestSettleMs(state))
  const [deadline, latest] = [deadlineMs(state, seen), latestMs(state, seen)]
  if (state.watermark_ms !== null && atMs >= settledMs) return { rollUp: true, dueMs: settledMs, isLate: false }
  const dues = [...(state.watermark_ms === null ? [] : [settledMs]), ...(state.late ? [] : [deadline]), latest]
  return { rollUp: atMs >= latest, dueMs: Math.min(...dues.filter((ms) => ms > atMs)), isLate: atMs >= deadline }
}

/** A final day is compared once its timer is over; for another zone at once. */
function planFinal(state: StatsDayState, { atMs, timeZone, pending, rules }: Observation) {
  const isRezoned = state.time_zone !== timeZone
  if (pending === null && !isRezoned) return { rollUp: false, dueMs: null }
  if (pending === null || pending.cause === 'settings') return { rollUp: true, dueMs: atMs }
  const dueMs = pending.sinceMs + rules.restateMs
  return { rollUp: atMs >= dueMs || isRezoned, dueMs }
}

/** Longest settle time of the expected set. */
function longestSettleMs({ expected }: StatsDayState): number {
  return Math.max(0, ...expected.map(({ settle_hours }) => settle_hours)) * hourMs
}

/** After it the day is final, whoever has reported. */
function latestMs(state: StatsDayState, { endMs }: Observation): number {
  return endMs + Math.max(state.max_wait_hours * hourMs, longestSettleMs(state) + 12 * hourMs)
}

function deadlineMs(state: StatsDayState, seen: Observation): number {
  return latestMs(state, seen) - 12 * hourMs
}

function missingOf({ expected, watermark_ms }: StatsDayState, { reported, endMs }: Observation): string[] {
  if (watermark_ms !== null) return []
  const hasReported = (id: string) => (reported[id] ?? Number.NEGATIVE_INFINITY) >= endMs
  return expected.map(({ integration_id }) => integration_id).filter((id) => !hasReported(id))
}

/** The latest of the expected reports, null while one is missing or nobody is expected. */
function watermarkOf(state: StatsDayState, seen: Observation): number | null {
  if (state.expected.length === 0 || missingOf({ ...state, watermark_ms: null }, seen).length > 0) return null
  return Math.max(...state.expected.map(({ integration_id }) => seen.reported[integration_id] ?? 0))
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
