// What keeps the server from clearing away: old snapshots of this database, since vacuum removes no row that one of them may read, and WAL
// that a replication slot has not handed on (stack.md 7.13, F25). It asks for what every role may see, so it needs no right of its own.
import { observe } from '@wds/telemetry/metrics'
import { heldBackMetrics } from '@wds/telemetry/platform-metrics'
import type { Queryable } from './pool.ts'

/** Transaction ids are those of the server, counted on beyond 2^32. */
export interface HeldBack {
  /** The next one that is given. */
  next: number
  /** Vacuum keeps what any transaction from this one on has removed: `next` where nobody holds anything back. */
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
  const oldest = { transaction: countedOn(transaction, next), slot: countedOn(slot, next) }
  return { next, oldest, slotWalBytes: Math.max(0, Number(wal)) }
}

const idsOfARound = 2 ** 32

/** Ids come without the rounds of 2^32 that were made before; the oldest one is less than half a round behind. */
export function countedOn(id: string | null, next: number): number {
  return id === null ? next : Math.min(next, next - (((next % idsOfARound) - Number(id)) | 0))
}

/** A reading is forgotten where those beside it are closer to each other than this share of its age: hundreds are kept of weeks. */
const precision = 0.02

interface Mark {
  next: number
  atMs: number
}

/**
 * Tells since when an id has been behind, ms: from the first reading at which a later one had been given, so 0 where nothing was written
 * since. What began before the first reading counts from there on.
 */
export function createAgeOfIds(): (seen: { next: number; oldest: number; nowMs: number }) => number {
  let marks: Mark[] = []
  return ({ next, oldest, nowMs }) => {
    // Another server took over, which had not given all of them.
    if (next < (marks.at(-1)?.next ?? 0)) marks = []
    const behind = [...marks, { next, atMs: nowMs }].filter((mark) => mark.next > oldest)
    marks = thinned(behind, nowMs)
    return marks[0] === undefined ? 0 : nowMs - marks[0].atMs
  }
}

function thinned(marks: readonly Mark[], nowMs: number): Mark[] {
  const kept: Mark[] = []
  for (const [nth, mark] of marks.entries()) {
    const before = kept.at(-1)
    const after = marks[nth + 1]
    const isNeeded = !before || !after || after.atMs - before.atMs > precision * (nowMs - mark.atMs)
    if (isNeeded) kept.push(mark)
  }
  return kept
}

const everyMs = 15_000

/** Measures whenever somebody reads, every 15 s at most. Returns how to end it. */
export function observeHeldBack(db: Queryable, o: { onError(error: unknown): void }): () => void {
  const ages = { transaction: createAgeOfIds(), slot: createAgeOfIds() }
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
