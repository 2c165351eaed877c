/** What a run of many faults is asked for, and what it tells. */

import type { LogName } from '../rig/rig.ts'
import type { FaultKind } from './fault-plan.ts'

export interface ManyFaultsOptions {
  log: LogName
  seed: number
  /** Faults in all. */
  count: number
  /** So many between two checks. */
  checkEvery: number
  /** After so long no further fault begins, ms. */
  withinMs: number
  /** Told after each check what was done until then. */
  onCheck(run: ManyFaults): void
}

/** A fault that was made, and how long after it was over a change that was asked for then was at the receiver, ms. */
export interface MadeFault {
  kind: FaultKind
  recoveredMs: number
}

export interface ManyFaults {
  log: LogName
  seed: number
  made: MadeFault[]
  checks: number
  /** Changes asked for, answered with 200, and those whose outcome nobody told. */
  writes: { asked: number; acknowledged: number; unknown: number }
  events: number
  /** Attempts whose outcome was lost or that failed, and requests that came again. */
  attempts: { lost: number; failed: number; repeated: number }
  /** Replays asked for, and what became of them: what was refused is neither; epochs that they opened. */
  replays: { asked: number; acknowledged: number; unknown: number; epochs: number }
  /** Codes and refresh tokens that were presented, and those whose answer was lost. */
  tokens: { presented: number; lost: number }
  /** Samples of what processes and queues hold, with the highest of each figure, and snapshots in which rows were compared. */
  watched: { samples: number; peaks: ReadonlyMap<string, number>; snapshots: number }
  /** The longest that a due delivery waited for its attempt, less what of it faults were under way, ms. */
  latestMs: number
  /** From each change that was asked for at rest, behind each drain, until it was at the receiver, ms. */
  atRestMs: number[]
  /** The same of changes that were asked for right behind records that nobody can read, ms. */
  heldUpMs: number[]
  /** Of the workspace beside it, whose subscription is disabled, enabled and deleted. */
  neighbourAttempts: number
  /** One sentence for each. */
  violations: string[]
  tookMs: number
}

/** Of which nothing was done yet. */
export function newRun(o: Pick<ManyFaults, 'log' | 'seed'>): ManyFaults {
  return {
    log: o.log,
    seed: o.seed,
    made: [],
    checks: 0,
    writes: { asked: 0, acknowledged: 0, unknown: 0 },
    events: 0,
    attempts: { lost: 0, failed: 0, repeated: 0 },
    replays: { asked: 0, acknowledged: 0, unknown: 0, epochs: 0 },
    tokens: { presented: 0, lost: 0 },
    watched: { samples: 0, peaks: new Map(), snapshots: 0 },
    latestMs: 0,
    atRestMs: [],
    heldUpMs: [],
    neighbourAttempts: 0,
    violations: [],
    tookMs: 0,
  }
}
