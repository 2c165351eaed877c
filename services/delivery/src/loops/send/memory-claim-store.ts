// For tests: the claim store in memory, with leases, fences, caps and the rows of the log. It never stands in a running service.

import type { LogRow } from '../../domain/delivery.ts'
import type { ClaimedAttempt, ClaimInput, ClaimStore, ExpiredLease, SettledAttempt } from './send-ports.ts'

/** A delivery to be made, as fan out would leave it. */
export type WaitingDelivery = Omit<
  ClaimedAttempt,
  'claimId' | 'slow' | 'epoch' | 'attempt' | 'dueAtMs' | 'eventDay' | 'headers' | 'traceparent'
> &
  Partial<Pick<ClaimedAttempt, 'headers' | 'traceparent'>>

type Waiting = WaitingDelivery & { attempt: number; dueAtMs: number }
type Lease = Waiting & { claimId: string; untilMs: number; startedMs: number }

/** The store with what a test wants to see. */
export interface MemoryClaimStore extends ClaimStore {
  add(deliveries: WaitingDelivery[]): void
  readonly settled: SettledAttempt[]
  readonly gone: string[]
  readonly claims: ClaimInput[]
  /** Rows of the log of one delivery. */
  log(deliveryId: string): LogRow[]
  leases(): number
  waiting(): number
  /** The next calls of settle throw. */
  failSettles(times: number): void
}

const laneCap = 8

function logRowsOf(row: SettledAttempt, nowMs: number): LogRow[] {
  const { kind, epoch, attempt, status, errorCode } = row
  const dueMs = row.delayMs === null ? null : nowMs + row.delayMs
  const first: LogRow = { kind, epoch, attempt, atMs: nowMs, dueMs, status, errorCode, deadReason: null }
  if (kind === 'attempt_succeeded' || dueMs !== null) return [first]
  return [first, { ...first, kind: 'exhausted', status: null, errorCode: null, deadReason: 'attempts_exhausted' }]
}

/** Makes an empty store. */
export function createMemoryClaimStore(): MemoryClaimStore {
  let waiting: Waiting[] = []
  const leases = new Map<string, Lease>()
  const logs = new Map<string, LogRow[]>()
  const settled: SettledAttempt[] = []
  const gone: string[] = []
  const claims: ClaimInput[] = []
  let failing = 0

  const settleOne = (row: SettledAttempt): boolean => {
    const lease = leases.get(row.deliveryId)
    if (lease?.claimId !== row.claimId) return false
    leases.delete(row.deliveryId)
    settled.push(row)
    logs.get(row.deliveryId)?.push(...logRowsOf(row, Date.now()))
    if (row.delayMs !== null) {
      const attempt = row.attempt + (row.kind === 'attempt_released' ? 0 : 1)
      waiting.push({ ...lease, attempt, dueAtMs: Date.now() + row.delayMs })
    }
    return true
  }

  const claim = async (input: ClaimInput): Promise<ClaimedAttempt[]> => {
    claims.push(input)
    const nowMs = Date.now()
    const used = new Map(input.busy.map((b) => [b.workspaceId, b.used]))
    const inFlight = Map.groupBy(leases.values(), (lease) => lease.subscriptionId)
    const lanes = new Map(Array.from(inFlight, ([id, list]) => [id, list.length]))
    const taken: Waiting[] = []
    let slowRoom = input.slowRoom
    for (const row of waiting.toSorted(
      (a, b) => (lanes.get(a.subscriptionId) ?? 0) - (lanes.get(b.subscriptionId) ?? 0),
    )) {
      const lane = lanes.get(row.subscriptionId) ?? 0
      const workspace = used.get(row.workspaceId) ?? 0
      const isSlow = input.slowLanes.includes(row.subscriptionId)
      if (taken.length >= input.slots || row.dueAtMs > nowMs || lane >= laneCap || workspace >= input.share) continue
      if (isSlow && slowRoom <= 0) continue
      if (isSlow) slowRoom -= 1
      lanes.set(row.subscriptionId, lane + 1)
      used.set(row.workspaceId, workspace + 1)
      taken.push(row)
    }
    const got = new Set(taken)
    waiting = waiting.filter((row) => !got.has(row))
    return taken.map((row) => {
      leases.set(row.deliveryId, { ...row, claimId: input.claimId, untilMs: nowMs + input.leaseMs, startedMs: nowMs })
      const slow = input.slowLanes.includes(row.subscriptionId)
      return { headers: {}, traceparent: null, ...row, epoch: 1, eventDay: '2026-11-21', slow, claimId: input.claimId }
    })
  }

  return {
    add(deliveries) {
      for (const delivery of deliveries) {
        waiting.push({ ...delivery, attempt: 1, dueAtMs: Date.now() })
        const none = { status: null, errorCode: null, deadReason: null }
        logs.set(delivery.deliveryId, [
          { kind: 'scheduled', epoch: 1, attempt: 0, atMs: Date.now(), dueMs: Date.now(), ...none },
        ])
      }
    },
    settled,
    gone,
    claims,
    log: (deliveryId) => logs.get(deliveryId) ?? [],
    leases: () => leases.size,
    waiting: () => waiting.length,
    failSettles(times) {
      failing = times
    },
    claim,
    async settle(rows) {
      if (failing > 0) {
        failing -= 1
        throw new Error('the database is away')
      }
      return new Set(rows.filter(settleOne).map((row) => row.deliveryId))
    },
    isFaultOfRows: () => false,
    async postpone(row, ms) {
      const lease = leases.get(row.deliveryId)
      if (lease?.claimId === row.claimId) lease.untilMs = Date.now() + ms
    },
    async hold(rows, holdMs) {
      const mine = rows.filter((row) => leases.get(row.deliveryId)?.claimId === row.claimId)
      for (const row of mine) {
        const lease = leases.get(row.deliveryId) as Lease
        leases.delete(row.deliveryId)
        waiting.push({ ...lease, dueAtMs: Date.now() + holdMs })
      }
      return { held: new Set(mine.map((row) => row.deliveryId)), begun: mine.map((row) => row.subscriptionId) }
    },
    async expiredLeases(limit) {
      const expired = [...leases.values()].filter((lease) => lease.untilMs < Date.now()).slice(0, limit)
      return expired.map((lease): ExpiredLease => ({ ...lease, epoch: 1, eventDay: '2026-11-21' }))
    },
    async nextDueInMs() {
      if (waiting.length === 0) return null
      return Math.max(0, Math.min(...waiting.map((row) => row.dueAtMs)) - Date.now())
    },
    async disableGone({ subscriptionId }) {
      gone.push(subscriptionId)
    },
  }
}
