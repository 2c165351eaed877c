// Decides what a worker may claim next: free slots, what each workspace already holds, which lanes are slow and what they may still get
// (stack.md 7.5, 7.6). The worker counts its own attempts: there is no shared counter.

/** An attempt that this worker has under way. */
export interface AttemptUnderWay {
  readonly workspaceId: string
  readonly subscriptionId: string
  readonly startedMs: number
  /** Its lane was slow when it was claimed. */
  readonly slow: boolean
  /** It was claimed while no slot was free. */
  readonly spare: boolean
}

/** The limits of a worker, all in attempts. */
export interface ShareLimits {
  readonly slots: number
  /** For one workspace. */
  readonly workspaceShare: number
  /** For all slow lanes together. */
  readonly slowShare: number
  /** Beyond the slots, for lanes that have nothing under way. */
  readonly spareSlots: number
  /** Of the spare slots, for one workspace in one claim. */
  readonly sparePerClaim: number
  /** Of the spare slots, for one workspace at a time. */
  readonly sparePerWorkspace: number
}

/** Capacity of one claim. */
export interface ClaimRoom {
  readonly slots: number
  /** The limit for one workspace, of which `busy` is used up. */
  readonly share: number
  readonly busy: { workspaceId: string; used: number }[]
  readonly slowLanes: string[]
  readonly slowRoom: number
  /** What it claims takes spare slots. */
  readonly spare: boolean
}

/** An attempt older than this no longer counts as a slot but against the slow share. */
export const slowAfterMs = 1_000

/** The limits of a worker with so many slots: a quarter of them for one workspace, for slow lanes, and to spare (delivery.md 2.5). */
export function limitsOf(slots: number): ShareLimits {
  const quarter = Math.max(1, Math.floor(slots / 4))
  const sparePerClaim = Math.max(1, Math.floor(quarter / 16))
  const sparePerWorkspace = Math.max(1, Math.floor(quarter / 4))
  return { slots, workspaceShare: quarter, slowShare: quarter, spareSlots: quarter, sparePerClaim, sparePerWorkspace }
}

/** What the attempts under way take of the limits. */
interface Taken {
  /** Attempts by workspace. */
  readonly used: Map<string, number>
  /** Attempts in spare slots by workspace, those that no longer count as a slot left out. */
  readonly usedSpare: Map<string, number>
  /** Lanes that have an attempt under way. */
  readonly lanes: Set<string>
  /** Those of them whose attempt is older than `slowAfterMs`. */
  readonly slowLanes: Set<string>
  /** Attempts that count as a slot. */
  young: number
  /** Those of them in spare slots. */
  spare: number
  /** Attempts that count against the slow share. */
  slow: number
}

/**
 * What may be claimed in addition to the attempts under way: by any lane while a slot is free, else, from the spare slots, by lanes that
 * have nothing under way. Endpoints that hang hold their slots until they are slow; whoever answers in time does not wait for that, and an
 * endpoint that hangs next takes a few spare slots and no more. While all spare slots are taken nothing is claimed: under a backlog
 * attempts then end until a slot is free, which is the turn of slow lanes, too.
 */
export function claimRoom(underWay: Iterable<AttemptUnderWay>, nowMs: number, limits: ShareLimits): ClaimRoom {
  const taken = countAttempts(underWay, nowMs)
  return taken.young < limits.slots ? roomInSlots(taken, limits) : roomInSpareSlots(taken, limits)
}

function roomInSlots({ used, slowLanes, young, slow }: Taken, limits: ShareLimits): ClaimRoom {
  const busy = Array.from(used, ([workspaceId, count]) => ({ workspaceId, used: count }))
  const slowRoom = Math.max(0, limits.slowShare - slow)
  const slots = limits.slots - young
  return { slots, share: limits.workspaceShare, busy, slowLanes: [...slowLanes], slowRoom, spare: false }
}

/** Lanes that have something under way are given as slow ones, for which there is no room. */
function roomInSpareSlots({ used, usedSpare, lanes, spare }: Taken, limits: ShareLimits): ClaimRoom {
  const { sparePerClaim: share, sparePerWorkspace, workspaceShare } = limits
  const busy = Array.from(used, ([workspaceId, count]) => {
    const left = Math.min(share, workspaceShare - count, sparePerWorkspace - (usedSpare.get(workspaceId) ?? 0))
    return { workspaceId, used: share - Math.max(0, left) }
  })
  const slots = Math.max(0, limits.spareSlots - spare)
  return { slots, share, busy, slowLanes: [...lanes], slowRoom: 0, spare: true }
}

function countAttempts(underWay: Iterable<AttemptUnderWay>, nowMs: number): Taken {
  const taken: Taken = {
    used: new Map(),
    usedSpare: new Map(),
    lanes: new Set(),
    slowLanes: new Set(),
    young: 0,
    spare: 0,
    slow: 0,
  }
  for (const { workspaceId, subscriptionId, startedMs, slow, spare } of underWay) {
    addOne(taken.used, workspaceId)
    taken.lanes.add(subscriptionId)
    const isOld = nowMs - startedMs > slowAfterMs
    if (isOld) taken.slowLanes.add(subscriptionId)
    else taken.young += 1
    if (!isOld && spare) {
      taken.spare += 1
      addOne(taken.usedSpare, workspaceId)
    }
    if (isOld || slow) taken.slow += 1
  }
  return taken
}

function addOne(counts: Map<string, number>, of: string): void {
  counts.set(of, (counts.get(of) ?? 0) + 1)
}
