// Decides what a worker may claim next: free slots, what each workspace already holds, which lanes are slow and what they may still get
// (stack.md 7, rules 5 and 6). The worker counts its own attempts: there is no shared counter.

/** An attempt that this worker has under way. */
export interface AttemptUnderWay {
  readonly workspaceId: string
  readonly subscriptionId: string
  readonly startedMs: number
  /** Its lane was slow when it was claimed. */
  readonly slow: boolean
}

/** The limits of a worker, all in attempts. */
export interface ShareLimits {
  readonly slots: number
  /** For one workspace. */
  readonly workspaceShare: number
  /** For all slow lanes together. */
  readonly slowShare: number
}

/** What a claim is told. */
export interface ClaimRoom {
  readonly slots: number
  /** The limit for one workspace, of which `busy` is used up. */
  readonly share: number
  readonly busy: { workspaceId: string; used: number }[]
  readonly slowLanes: string[]
  readonly slowRoom: number
}

/** What is not free for others: what a claim under way may take, and all of the workspaces of which due work may wait for their share. */
export interface ClaimedRoom {
  readonly claim: ClaimRoom | null
  readonly short: ReadonlySet<string>
}

/** An attempt older than this no longer counts as a slot but against the slow share. */
export const slowAfterMs = 1_000

/** The limits of a worker with so many slots: a quarter for one workspace, a quarter for slow lanes (delivery.md, Lanes). */
export function limitsOf(slots: number): ShareLimits {
  const quarter = Math.max(1, Math.floor(slots / 4))
  return { slots, workspaceShare: quarter, slowShare: quarter }
}

/** What may be claimed beside the attempts under way. */
export function claimRoom(underWay: Iterable<AttemptUnderWay>, nowMs: number, limits: ShareLimits): ClaimRoom {
  const used = new Map<string, number>()
  const slowLanes = new Set<string>()
  let young = 0
  let slow = 0
  for (const attempt of underWay) {
    used.set(attempt.workspaceId, (used.get(attempt.workspaceId) ?? 0) + 1)
    const isOld = nowMs - attempt.startedMs > slowAfterMs
    if (isOld) slowLanes.add(attempt.subscriptionId)
    else young += 1
    if (isOld || attempt.slow) slow += 1
  }
  return {
    slots: Math.max(0, limits.slots - young),
    share: limits.workspaceShare,
    busy: Array.from(used, ([workspaceId, count]) => ({ workspaceId, used: count })),
    slowLanes: [...slowLanes],
    slowRoom: Math.max(0, limits.slowShare - slow),
  }
}

/**
 * Half of the room, rounded up, for a claim beside which slots are booked: the other half of what is free, and of what is left of each
 * workspace's share, is not its to take.
 */
export function halfOf(room: ClaimRoom): ClaimRoom {
  const share = Math.ceil(room.share / 2)
  const busy = room.busy.map(({ workspaceId, used }) => {
    return { workspaceId, used: share - Math.ceil(Math.max(0, room.share - used) / 2) }
  })
  return { ...room, slots: Math.ceil(room.slots / 2), share, busy }
}

/** What is left of the share of a workspace. */
export function shareLeft({ share, busy }: ClaimRoom): (workspaceId: string) => number {
  const used = new Map(busy.map((one) => [one.workspaceId, one.used]))
  return (workspaceId) => share - (used.get(workspaceId) ?? 0)
}

/** What is left of the room, its slots and the share of a workspace, while a claim may take all that it was told of; without one, all of it. */
export function roomBeside(
  room: ClaimRoom,
  claim: ClaimRoom | null,
): { slots: number; of(workspaceId: string): number } {
  const [left, told] = [shareLeft(room), claim === null ? () => 0 : shareLeft(claim)]
  return { slots: Math.max(0, room.slots - (claim?.slots ?? 0)), of: (id) => left(id) - told(id) }
}
