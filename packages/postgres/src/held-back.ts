// What keeps the server from clearing away: old snapshots of this database hold back the horizon up to which vacuum removes rows (xmin
// horizon), and a replication slot keeps WAL that it has not sent (stack.md 7.13, F25). It reads what every role may see.
import { observe } from '@wds/telemetry/metrics'
import { heldBackMetrics } from '@wds/telemetry/platform-metrics'
import type { Queryable } from './pool.ts'

/** Transaction ids are full ones, as Postgres calls them: with the epoch, so that they never wrap around. */
export interface HeldBack {
  /** The next one that is assigned. */
  next: number
  /** The horizon: vacuum keeps what any transaction from this one on has removed. `next` where nobody holds it back. */
  oldest: { transaction: number; slot: number }
  /** WAL that the slot furthest behind keeps, bytes; 0 without slots. */
  slotWalBytes: number
}

// A session shows the id that it writes under and the oldest id that it may read. Sessions of another database hold back nothing here, nor
// does a vacuum of another table; a process that sends WAL has no database and does. A slot that is lost keeps nothing any more.
const heldBackSql = `
  select pg_snapshot_xmax(pg_current_snapshot())::text as next,
    (select h.xid from (
       select x.xid from pg_stat_activity s cross join lateral unnest(array[s.backend_xid, s.backend_xmin]) as x(xid)
        where s.pid <> pg_backend_pid() and (s.datname is null or s.datname = current_database())
          and s.pid not in (select v.pid from pg_stat_progress_vacuum v)
       union all
       select p.transaction from pg_prepared_xacts p where p.database = current_database()
     ) h where h.xid is not null order by age(h.xid) desc limit 1)::text as transaction,
    (select xmin from pg_replication_slots where xmin is not null and wal_status is distinct from 'lost'
      order by age(xmin) desc limit 1)::text as slot,
    coalesce((select max(pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn))
                from pg_replication_slots where restart_lsn is not null and wal_status is distinct from 'lost'), 0)::text as wal`

export async function readHeldBack(db: Queryable): Promise<HeldBack> {
  type Row = { next: string; transaction: string | null; slot: string | null; wal: string }
  const { rows } = await db.query<Row>({ name: 'held-back', text: heldBackSql })
  const { next: text, transaction, slot, wal } = rows[0] as Row
  const next = Number(text)
  const oldest = { transaction: toFullXid(transaction, next), slot: toFullXid(slot, next) }
  return { next, oldest, slotWalBytes: Math.max(0, Number(wal)) }
}

const xidsPerEpoch = 2 ** 32

/** The views show ids of 32 bits, without their epoch: the one meant is less than half an epoch behind `next`. Null, nobody: `next`. */
export function toFullXid(xid: string | null, next: number): number {
  return xid === null ? next : Math.min(next, next - (((next % xidsPerEpoch) - Number(xid)) | 0))
}

/** A reading is dropped where those beside it are closer to each other than this share of its age: of weeks some hundreds are kept. */
const precision = 0.02

interface Reading {
  next: number
  atMs: number
}

/**
 * Measures for how long the horizon has been held back, ms: since the first reading that had a later id than the oldest one, so 0 where
 * nothing was written since. What began before the first reading counts from there on.
 */
export function createHorizonAge(): (seen: { next: number; oldest: number; nowMs: number }) => number {
  let readings: Reading[] = []
  return ({ next, oldest, nowMs }) => {
    // Another server took over, which had not assigned all of these ids.
    if (next < (readings.at(-1)?.next ?? 0)) readings = []
    const behind = [...readings, { next, atMs: nowMs }].filter((reading) => reading.next > oldest)
    readings = thinOut(behind, nowMs)
    return readings[0] === undefined ? 0 : nowMs - readings[0].atMs
  }
}

function thinOut(readings: readonly Reading[], nowMs: number): Reading[] {
  const kept: Reading[] = []
  for (const [nth, reading] of readings.entries()) {
    const before = kept.at(-1)
    const after = readings[nth + 1]
    const isNeeded = !before || !after || after.atMs - before.atMs > precision * (nowMs - reading.atMs)
    if (isNeeded) kept.push(reading)
  }
  return kept
}

const everyMs = 15_000

/** Measures whenever somebody reads, every 15 s at most. Returns how to end it. */
export function observeHeldBack(db: Queryable, o: { onError(error: unknown): void }): () => void {
  const ages = { transaction: createHorizonAge(), slot: createHorizonAge() }
  const measure = async (nowMs: number) => {
    const { next, oldest, slotWalBytes } = await readHeldBack(db)
    return {
      nowMs,
      transactionMs: ages.transaction({ next, oldest: oldest.transaction, nowMs }),
      slotMs: ages.slot({ next, oldest: oldest.slot, nowMs }),
      slotWalBytes,
    }
  }
  let measured: Awaited<ReturnType<typeof measure>> | undefined
  return observe([heldBackMetrics.snapshotAge, heldBackMetrics.slotWal], {
    onError: o.onError,
    async read(report) {
      const nowMs = performance.now()
      if (measured === undefined || nowMs - measured.nowMs >= everyMs) measured = await measure(nowMs)
      report(heldBackMetrics.snapshotAge, measured.transactionMs / 1_000, { holder: 'transaction' })
      report(heldBackMetrics.snapshotAge, measured.slotMs / 1_000, { holder: 'slot' })
      report(heldBackMetrics.slotWal, measured.slotWalBytes)
    },
  })
}
