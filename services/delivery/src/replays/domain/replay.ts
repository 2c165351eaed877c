// Decides the life of a bulk replay: the machine of domain.md 3.13, how far it has come, and when it may open more. It never waits and
// never reads a clock: instants come in with the command.
import type { ReplayStatus } from '@wds/contracts/states'
import { accept, type Decider, type InvalidState, reject } from '@wds/decider/decider'
import { firstPlace, type Place, type Selection } from './selection.ts'

/** The machine: for each state what may be asked for, by a client or by the worker. Outcomes are counted in every one. */
export const replayMachine = {
  none: ['request'],
  queued: ['advance', 'fail', 'pause', 'cancel'],
  running: ['advance', 'fail', 'pause', 'cancel'],
  paused: ['resume', 'cancel'],
  completed: [],
  canceled: [],
  failed: [],
} as const
const actionsOfClients: readonly string[] = ['pause', 'resume', 'cancel']

/** What was asked for. */
export interface ReplayOrder {
  /** Of one subscription, or of all of the workspace. */
  webhook_id: string | null
  selection: Selection
  /** Deliveries opened per second, at most. */
  rate: number
  /** How many matched when it was asked for; null: more than were counted. */
  matched: number | null
  /** Who asked, as `api_key:key_…`. */
  requested_by: string
}

/** Why a replay of one subscription cannot go on. */
export type FailedReason = 'subscription_disabled' | 'subscription_deleted'

/** What became of epochs that it opened, each counted once. */
export interface Outcomes {
  delivered: number
  dead: number
  /** Replayed again before they ended. */
  superseded: number
}

export interface ReplayState extends Outcomes {
  status: 'none' | ReplayStatus
  order: ReplayOrder | null
  /** Null: everything was looked at. */
  place: Place | null
  matched: number | null
  opened: number
  skipped: number
  /** Not before then more may be opened. */
  next_ms: number
  started_ms: number | null
  finished_ms: number | null
  failed_reason: FailedReason | null
}

export type ReplayCommand =
  | { type: 'request'; atMs: number; order: ReplayOrder }
  /** One batch: of what was selected so many were opened, the rest was skipped. `place`: where the next begins, null: this was the last. */
  | { type: 'advance'; atMs: number; opened: number; skipped: number; place: Place | null }
  | { type: 'count'; outcomes: Outcomes }
  | { type: 'fail'; atMs: number; reason: FailedReason }
  | { type: 'pause' | 'resume' | 'cancel'; atMs: number }

type Batch = { at_ms: number; next_ms: number; opened: number; skipped: number; place: Place | null }
export type ReplayEvent =
  | { type: 'ReplayRequested'; data: { at_ms: number; order: ReplayOrder } }
  | { type: 'ReplayAdvanced'; data: Batch }
  | { type: 'ReplayCompleted'; data: { at_ms: number } }
  | { type: 'ReplayOutcomesCounted'; data: Outcomes }
  | { type: 'ReplayFailed'; data: { at_ms: number; reason: FailedReason } }
  | { type: 'ReplayPaused' | 'ReplayResumed' | 'ReplayCanceled'; data: { at_ms: number } }

const initialState: ReplayState = {
  status: 'none',
  order: null,
  place: null,
  matched: null,
  opened: 0,
  skipped: 0,
  delivered: 0,
  dead: 0,
  superseded: 0,
  next_ms: 0,
  started_ms: null,
  finished_ms: null,
  failed_reason: null,
}

function evolve(state: ReplayState, event: ReplayEvent): ReplayState {
  switch (event.type) {
    case 'ReplayRequested': {
      const { at_ms, order } = event.data
      const place = firstPlace(order.selection)
      return { ...initialState, status: 'queued', order, place, matched: order.matched, next_ms: at_ms }
    }
    case 'ReplayAdvanced': {
      const { at_ms, next_ms, opened, skipped, place } = event.data
      const counts = { opened: state.opened + opened, skipped: state.skipped + skipped }
      return { ...state, ...counts, status: 'running', started_ms: state.started_ms ?? at_ms, next_ms, place }
    }
    case 'ReplayCompleted':
      return completed(state, event.data.at_ms)
    case 'ReplayOutcomesCounted': {
      const { delivered, dead, superseded } = event.data
      return {
        ...state,
        delivered: state.delivered + delivered,
        dead: state.dead + dead,
        superseded: state.superseded + superseded,
      }
    }
    case 'ReplayFailed':
      return { ...state, status: 'failed', finished_ms: event.data.at_ms, failed_reason: event.data.reason }
    case 'ReplayPaused':
      return { ...state, status: 'paused' }
    case 'ReplayResumed':
      return { ...state, status: state.started_ms === null ? 'queued' : 'running', next_ms: event.data.at_ms }
    case 'ReplayCanceled':
      return { ...state, status: 'canceled', finished_ms: event.data.at_ms }
  }
}

/** What had matched and was not opened, for whatever reason, was skipped: matched = opened + skipped in the end. */
function completed(state: ReplayState, atMs: number): ReplayState {
  const matched = Math.max(state.matched ?? 0, state.opened + state.skipped)
  return { ...state, status: 'completed', finished_ms: atMs, matched, skipped: matched - state.opened }
}

/** So much of a pause is made up for: a worker that comes late does not open a burst. */
const catchUpMs = 1_000

function decide(state: ReplayState, command: ReplayCommand) {
  if (command.type === 'count') {
    const { delivered, dead, superseded } = command.outcomes
    const isNone = delivered + dead + superseded === 0
    return isNone
      ? accept<ReplayEvent>()
      : accept<ReplayEvent>({ type: 'ReplayOutcomesCounted', data: command.outcomes })
  }
  const allowed: readonly string[] = replayMachine[state.status]
  if (!allowed.includes(command.type)) {
    const offered = allowed.filter((action) => actionsOfClients.includes(action))
    return reject<InvalidState>({ code: 'invalid_state', current_status: state.status, allowed: offered })
  }
  const at_ms = command.atMs
  switch (command.type) {
    case 'request':
      return accept<ReplayEvent>({ type: 'ReplayRequested', data: { at_ms, order: command.order } })
    case 'advance': {
      const { opened, skipped, place } = command
      const tookMs = ((opened + skipped) * 1_000) / (state.order?.rate ?? 1)
      const next_ms = Math.ceil(Math.max(state.next_ms, at_ms - catchUpMs) + tookMs)
      const advanced: ReplayEvent = { type: 'ReplayAdvanced', data: { at_ms, next_ms, opened, skipped, place } }
      return place === null
        ? accept<ReplayEvent>(advanced, { type: 'ReplayCompleted', data: { at_ms } })
        : accept<ReplayEvent>(advanced)
    }
    case 'fail':
      return accept<ReplayEvent>({ type: 'ReplayFailed', data: { at_ms, reason: command.reason } })
    case 'pause':
      return accept<ReplayEvent>({ type: 'ReplayPaused', data: { at_ms } })
    case 'resume':
      return accept<ReplayEvent>({ type: 'ReplayResumed', data: { at_ms } })
    case 'cancel':
      return accept<ReplayEvent>({ type: 'ReplayCanceled', data: { at_ms } })
  }
}

/** The bulk replay's decider. */
export const replayDecider: Decider<ReplayState, ReplayCommand, ReplayEvent, InvalidState> = {
  initialState,
  evolve,
  decide,
}

/** Epochs that it opened and whose outcome is not counted yet. */
export function openEpochs({ opened, delivered, dead, superseded }: ReplayState): number {
  return opened - delivered - dead - superseded
}

/** Rows of one batch at most: half a second's worth, so that a pause or cancel is felt at once and a lane is locked for some milliseconds only. */
export function batchSize({ rate }: ReplayOrder): number {
  return Math.min(250, Math.max(1, Math.ceil(rate / 2)))
}
