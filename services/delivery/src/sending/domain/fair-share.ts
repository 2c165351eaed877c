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
  readonly spareShare: number
  /** Of the spare slots, for one workspace at a time. */
  readonly spareMost: number
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
  const spareShare = Math.max(1, Math.floor(quarter / 16))
  const spareMost = Math.max(1, Math.floor(quarter / 4))
  return { slots, workspaceShare: quarter, slowShare: quarter, spareSlots: quarter, spareShare, spareMost }
}

/**
 * What may be claimed in addition to the attempts in progress. While no slot is free, the spare ones go to lanes that have nothing under
 * way, a few for each workspace and claim: endpoints that hang hold their slots until they are slow, whoever answers in time does not wait
 * for that, and an endpoint that hangs next takes a few spare slots and no more. So many attempts at most got a spare slot: while a backlog lasts,
 * others end until a slot is free, which goes to all lanes, slow ones among them.
 */
export function claimRoom(underWay: Iterable<AttemptUnderWay>, nowMs: number, limits: ShareLimits): ClaimRoom {
  const used = new Map<string, number>()
  const usedSpare = new Map<string, number>()
  const lanes = new Set<string>()
  const slowLanes = new Set<string>()
  let young = 0
  let spare = 0
  let slow = 0
  for (const attempt of underWay) {
    const { workspaceId } = attempt
    addOne(used, workspaceId)
    lanes.add(attempt.subscriptionId)
    const isOld = nowMs - attempt.startedMs > slowAfterMs
    if (isOld) slowLanes.add(attempt.subscriptionId)
    else young += 1
    if (!isOld && attempt.spare) {
      spare += 1
      addOne(usedSpare, workspaceId)
    }
    if (isOld || attempt.slow) slow += 1
  }
  const free = limits.slots - young
  if (free > 0) {
    const busy = Array.from(used, ([workspaceId, count]) => ({ workspaceId, used: count }))
    const slowRoom = Math.max(0, limits.slowShare - slow)
    return { slots: free, share: limits.workspaceShare, busy, slowLanes: [...slowLanes], slowRoom, spare: false }
  }
  const { spareShare: share, spareMost, workspaceShare } = limits
  const busy = Array.from(used, ([workspaceId, count]) => {
    const left = Math.min(share, workspaceShare - count, spareMost - (usedSpare.get(workspaceId) ?? 0))
    return { workspaceId, used: share - Math.max(0, left) }
  })
  const slots = Math.max(0, limits.spareSlots - spare)
  return { slots, share, busy, slowLanes: [...lanes], slowRoom: 0, spare: true }
}

function addOne(counts: Map<string, number>, of: string): void {
  counts.set(of, (counts.get(of) ?? 0) + 1)
}
