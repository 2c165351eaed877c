// For tests: what happens in a story of deliveries, how receivers answer in it, and the core that a mutant changes.
import type { Simulation } from '@wds/decider/simulation'
import { defaultSchedule, type Schedule } from '../deliveries/domain/schedule.ts'
import { claimRoom, type ShareLimits } from './domain/fair-share.ts'
import { type AttemptEnd, settlementOf } from './domain/settlement.ts'
import { type Ended, LaneStore } from './lane-store.fixture.ts'

export const modes = ['ok', 'slow', 'fail', 'hang', 'refuse', 'busy', 'gone'] as const
export type Mode = (typeof modes)[number]

/** Rare moments are met on purpose: between a claim and its requests, and between an answer and its record. */
export const moments = ['now', 'claimed', 'answered'] as const
export type Moment = (typeof moments)[number]

export type Act = { afterMs: number } & (
  | { do: 'publish'; workspace: number; count: number }
  | { do: 'mode'; lane: number; mode: Mode }
  | { do: 'harm'; at: Moment; how: 'kill' | 'stop' | 'terminate'; worker: number; forMs: number }
  | { do: 'database'; forMs: number }
  | { do: 'disable'; lane: number }
  | { do: 'enable'; lane: number }
  | { do: 'replay'; which: number }
)

/** What a mutant breaks. */
export interface Core {
  settlementOf: typeof settlementOf
  claimRoom: typeof claimRoom
  schedule: Schedule
  newStore(schedule: Schedule): LaneStore
  takesOver: boolean
}

export const core: Core = {
  settlementOf,
  claimRoom,
  schedule: defaultSchedule,
  newStore: (schedule) => new LaneStore(schedule),
  takesOver: true,
}

/** Fewer slots, with the spare ones, than the workspaces may have together; of the spare ones a workspace gets fewer in one claim than at a time. */
const spare = { spareSlots: 3, sparePerClaim: 1, sparePerWorkspace: 2 }
export const limits: ShareLimits = { slots: 4, workspaceShare: 3, slowShare: 3, slowPerWorkspace: 2, ...spare }
export const deadlineMs = 10_000
/** Some are narrow, some have a rate; one workspace has more than it gets spare slots. */
export const laneLimits: { workspaceId: string; maxInFlight: number; rate: number | null }[] = [
  { workspaceId: 'wsp_0', maxInFlight: 8, rate: null },
  { workspaceId: 'wsp_0', maxInFlight: 1, rate: null },
  { workspaceId: 'wsp_0', maxInFlight: 4, rate: null },
  { workspaceId: 'wsp_1', maxInFlight: 8, rate: null },
  { workspaceId: 'wsp_1', maxInFlight: 4, rate: 5 },
  { workspaceId: 'wsp_2', maxInFlight: 4, rate: null },
  { workspaceId: 'wsp_2', maxInFlight: 4, rate: 5 },
]
export const workspaces: string[] = [...new Set(laneLimits.map(({ workspaceId }) => workspaceId))]

/** How an attempt ends, so long after it began. */
export interface Answer {
  afterMs: number
  end: AttemptEnd
  error: Ended['error']
}

export function answerOf(mode: Mode, simulation: Simulation): Answer {
  const answered = (status: number, afterMs: number, retryAfter: string | null = null) => ({
    afterMs,
    end: { outcome: 'answered' as const, status, retryAfter },
    error: status === 200 ? null : ('http_status' as const),
  })
  const failed = (error: 'timeout' | 'connection_refused', afterMs: number) => ({
    afterMs,
    end: { outcome: 'failed' as const, status: null, retryAfter: null },
    error,
  })
  const quick = simulation.integer(5, 150)
  if (mode === 'hang') return failed('timeout', deadlineMs)
  if (mode === 'refuse') return failed('connection_refused', 2)
  if (mode === 'slow') return answered(200, simulation.integer(1_500, 4_000))
  if (mode === 'busy') return answered(503, quick, simulation.pick(['120', '7200', '999999', 'soon']))
  return answered({ ok: 200, fail: 500, gone: 410 }[mode], quick)
}
