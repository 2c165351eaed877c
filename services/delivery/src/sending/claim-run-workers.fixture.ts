// For tests: the workers of a claim run: claimers, settlers, takeovers; some are killed, hold their lanes, or settle late.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveNumberBack, letGo, noteClaim, numberOf, type Run } from './claim-run-state.fixture.ts'
import { endedAttempt } from './ended-attempt.fixture.ts'
import type { ClaimedAttempt, ClaimStore, SettledAttempt } from './ports.ts'

const leaseMs = 3_000
const slots = 64
const settleMax = 128

export async function claim(run: Run, store: ClaimStore): Promise<void> {
  const { result } = run
  while (!run.isOver) {
    if (run.toSettle.length > 8 * slots) {
      await sleep(2)
      continue
    }
    const limits = { busy: [], share: slots, slowLanes: [], slowRoom: slots }
    const rows = await store.claim({ claimId: randomUUID(), slots, lanes: 24, leaseMs, ...limits })
    for (const row of rows) noteClaim(run, row)
    result.counts.claims += rows.length
    if (rows.length > 0 && happens(run, 'held')) await hold(run, rows)
    else meet(run, rows)
    if (rows.length === 0) await sleep(3)
  }
}

/** To one claim in a hundred, and to one for certain, however few there are. */
function happens(run: Run, kind: 'held' | 'crashed'): boolean {
  return run.random() < 0.01 || run.result.counts[kind] === 0
}

/** What happens to a worker: it is killed, or it sends. */
function meet(run: Run, rows: ClaimedAttempt[]): void {
  if (!happens(run, 'crashed')) return void run.toSettle.push(...rows)
  run.crashed.push(...rows)
  run.result.counts.crashed += rows.length
}

async function hold(run: Run, rows: ClaimedAttempt[]): Promise<void> {
  for (const row of rows) {
    letGo(run, row)
    giveNumberBack(run, row)
  }
  const { held } = await run.store.hold(rows, { restMs: 50, mostMs: null })
  run.result.counts.held += held.size
  for (const row of rows) {
    if (held.has(row.deliveryId)) continue
    run.claimed.set(numberOf(row), (run.claimed.get(numberOf(row)) ?? 0) + 1)
    run.toSettle.push(row)
  }
}

/** Most attempts succeed; others fail, time out, exhaust their delivery or are released. */
function outcome(run: Run, row: ClaimedAttempt): SettledAttempt {
  const fate = run.random()
  if (fate < 0.12 && row.attempt < 6)
    return endedAttempt(row, { kind: 'attempt_failed', status: 500, errorCode: 'http_status', delayMs: 0 })
  if (fate < 0.15 && row.attempt < 6)
    return endedAttempt(row, { kind: 'attempt_failed', status: null, errorCode: 'timeout', delayMs: 0 })
  if (fate < 0.18) return endedAttempt(row, { kind: 'attempt_failed', status: 500, errorCode: 'http_status' })
  if (fate < 0.2) {
    giveNumberBack(run, row)
    return endedAttempt(row, { kind: 'attempt_released', status: null, signedAt: null, delayMs: 0 })
  }
  return endedAttempt(row, {})
}

export async function settle(run: Run, store: ClaimStore): Promise<void> {
  while (!run.isOver) {
    const rows = run.toSettle.splice(0, 1 + Math.floor(run.random() * settleMax))
    if (rows.length === 0) {
      await sleep(3)
      continue
    }
    for (const row of rows) letGo(run, row)
    const settled = await store.settle(rows.map((row) => outcome(run, row)).toSorted(() => run.random() - 0.5))
    run.result.counts.lateSettles += rows.length - settled.size
    run.ended.push(...rows)
    if (run.ended.length > 5_000) run.ended.splice(0, 2_500)
  }
}

/** Settles what ran out as unknown; then the killed workers wake up and settle late, which must change nothing. */
export async function takeOver(run: Run): Promise<void> {
  const { store, result } = run
  while (!run.isOver) {
    await sleep(200)
    const expired = await store.lostLeases(500)
    if (expired.length === 0) continue
    for (const lease of expired) letGo(run, lease)
    const unknown = { kind: 'attempt_unknown', status: null, durationMs: null, signedAt: null } as const
    const settled = await store.settle(
      expired.map((lease) => endedAttempt(lease, { ...unknown, delayMs: lease.attempt < 6 ? 0 : null })),
    )
    result.counts.takenOver += settled.size
    const gone = new Set(expired.map((lease) => `${lease.claimId}/${lease.deliveryId}`))
    const late = run.crashed.filter((row) => gone.has(`${row.claimId}/${row.deliveryId}`))
    run.crashed = run.crashed.filter((row) => !late.includes(row))
    const written = late.length === 0 ? new Set() : await store.settle(late.map((row) => endedAttempt(row, {})))
    if (written.size > 0)
      result.breaches.push(`${written.size} results were written after their leases were taken over`)
    result.counts.lateSettles += late.length
  }
}
