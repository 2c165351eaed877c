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
  /** Of the slots, for one workspace. */
  readonly workspaceShare: number
  /** For all slow lanes together. */
  readonly slowShare: number
  /** Of the slow share, for one workspace. */
  readonly slowPerWorkspace: number
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
  /** Which lanes it serves; `all`: a claim of the other kind would not find more. */
  readonly kind: ClaimKind | 'all'
}

/**
 * A claim has one limit for each workspace. So while attempts of slow lanes are under way there are two kinds of claims, which take turns
 * (decision 126): `slow` serves slow lanes, too, and gives a workspace no more than it has left of the slow share, whichever of its lanes get
 * it; `quick` leaves slow lanes out, and gives a workspace all that it has left of its slots.
 */
export type ClaimKind = 'slow' | 'quick'

/** An attempt older than this no longer counts as a slot but against the slow share. */
export const slowAfterMs = 1_000

/** The limits of a worker with so many slots: a quarter of them for one workspace, for slow lanes, and to spare (delivery.md 2.5). */
export function limitsOf(slots: number): ShareLimits {
  const part = (of: number, nth: number) => Math.max(1, Math.floor(of / nth))
  const quarter = part(slots, 4)
  return {
    slots,
    workspaceShare: quarter,
    slowShare: quarter,
    slowPerWorkspace: part(quarter, 4),
    spareSlots: quarter,
    sparePerClaim: part(quarter, 16),
    sparePerWorkspace: part(quarter, 4),
  }
}

/** What the attempts of one workspace take of the limits. */
interface TakenByOne {
  /** Those that count as a slot. */
  young: number
  /** Those of them in spare slots. */
  spare: number
  /** Those that count against the slow share. */
  slow: number
}

/** What the attempts under way take of the limits. */
interface Taken {
  readonly workspaces: Map<string, TakenByOne>
  /** Lanes that have an attempt under way. */
  readonly lanes: Set<string>
  /** Those of them whose attempt is older than `slowAfterMs`. */
  readonly slowLanes: Set<string>
  young: number
  spare: number
  /** Those that were claimed from slow lanes, however old. */
  ofSlowLanes: number
}

/**
 * What may be claimed in addition to the attempts under way: by any lane while a slot is free, else, from the spare slots, by lanes that
 * have nothing under way. Endpoints that hang hold their slots until they are slow; whoever answers in time does not wait for that, and an
 * endpoint that hangs next takes a few spare slots and no more. While all spare slots are taken nothing is claimed: under a backlog
 * attempts then end until a slot is free, which is the turn of slow lanes, too.
 */
export function claimRoom(
  underWay: Iterable<AttemptUnderWay>,
  { nowMs, limits, kind }: { nowMs: number; limits: ShareLimits; kind: ClaimKind },
): ClaimRoom {
  const taken = countAttempts(underWay, nowMs)
  return taken.young < limits.slots ? roomInSlots(taken, limits, kind) : roomInSpareSlots(taken, limits)
}

function roomInSlots(taken: Taken, limits: ShareLimits, wanted: ClaimKind): ClaimRoom {
  const slowLeft = slowShareLeft(taken, limits)
  const isAnySlow = [...taken.workspaces.values()].some(({ slow }) => slow > 0)
  const kind = isAnySlow && slowLeft > 0 ? wanted : 'all'
  const { workspaceShare, slowPerWorkspace } = limits
  const slotsLeft = ({ young }: TakenByOne) => workspaceShare - young
  const share = kind === 'slow' ? slowPerWorkspace : workspaceShare
  const left = kind === 'slow' ? (one: TakenByOne) => Math.min(slowPerWorkspace - one.slow, slotsLeft(one)) : slotsLeft
  return {
    slots: limits.slots - taken.young,
    share,
    busy: usedOf(taken, share, left),
    slowLanes: [...taken.slowLanes],
    slowRoom: kind === 'quick' ? 0 : slowLeft,
    spare: false,
    kind,
  }
}

/**
 * One workspace alone does not use the slow share up, nor do all of them by attempts that became old: as many as one workspace may have
 * are for slow lanes whatever else is under way. In one claim all of these get no more than that either.
 */
function slowShareLeft({ workspaces, ofSlowLanes }: Taken, { slowShare, slowPerWorkspace }: ShareLimits): number {
  let used = 0
  for (const { slow } of workspaces.values()) used += Math.min(slow, slowPerWorkspace)
  const left = Math.max(slowShare - used, slowPerWorkspace - ofSlowLanes)
  return Math.max(0, Math.min(slowPerWorkspace, left))
}

/** `ClaimRoom.busy`: of the share of one workspace so much is used that each gets no more than it has left. */
const usedOf = ({ workspaces }: Taken, share: number, left: (one: TakenByOne) => number) =>
  Array.from(workspaces, ([workspaceId, one]) => ({
    workspaceId,
    used: share - Math.max(0, Math.min(share, left(one))),
  }))

/** Lanes that have something under way are given as slow ones, for which there is no room. */
function roomInSpareSlots(taken: Taken, limits: ShareLimits): ClaimRoom {
  const { sparePerClaim: share, sparePerWorkspace, spareSlots, workspaceShare } = limits
  const busy = usedOf(taken, share, (one) => Math.min(workspaceShare - one.young, sparePerWorkspace - one.spare))
  const slots = Math.max(0, spareSlots - taken.spare)
  return { slots, share, busy, slowLanes: [...taken.lanes], slowRoom: 0, spare: true, kind: 'all' }
}

function countAttempts(underWay: Iterable<AttemptUnderWay>, nowMs: number): Taken {
  const taken: Taken = {
    workspaces: new Map(),
    lanes: new Set(),
    slowLanes: new Set(),
    young: 0,
    spare: 0,
    ofSlowLanes: 0,
  }
  for (const { workspaceId, subscriptionId, startedMs, slow, spare } of underWay) {
    const one = taken.workspaces.get(workspaceId) ?? { young: 0, spare: 0, slow: 0 }
    taken.workspaces.set(workspaceId, one)
    taken.lanes.add(subscriptionId)
    taken.ofSlowLanes += Number(slow)
    const isOld = nowMs - startedMs > slowAfterMs
    if (isOld || slow) one.slow += 1
    if (isOld) {
      taken.slowLanes.add(subscriptionId)
      continue
    }
    for (const counted of [one, taken]) {
      counted.young += 1
      counted.spare += Number(spare)
    }
  }
  return taken
}
