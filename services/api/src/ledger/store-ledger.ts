// Appends entries to the ledger and reads what it comes to. Number and balance of an entry are the database's (keep-ledger-sums.sql). Whoever
// appends holds the lock of the workspace's sub-affiliates.
import { workspaceOf } from '@wds/aggregate/aggregate'
import { type Bind, createdConditionsOf } from '@wds/aggregate/list'
import { newId } from '@wds/aggregate/new-id'
import type { Transaction } from '@wds/postgres/transaction'
import { readCalendar } from '../stats-calendar/store-calendar.ts'
import type { EntryKind, EntryReason, NewEntry, Terms } from './domain/ledger-entry.ts'
import { monthAfter } from './domain/month.ts'

export interface LedgerRow {
  id: string
  number: number
  sub_affiliate_id: string
  kind: EntryKind
  reason: EntryReason | null
  amount: string
  currency: string
  day: string | null
  month: string
  integration_id: string | null
  campaign_id: string | null
  row_currency: string | null
  row_amount: string | null
  stats_revision: number | null
  terms: Terms | null
  note: string | null
  source: string
  source_id: string
  balance_after: string
  created_ms: string
  [column: string]: unknown
}

/** Beyond those of all entries. */
const numberMax = 2_147_483_647

const columns = `id, number, sub_affiliate_id, kind, reason, amount::text, currency, day::text, month, integration_id, campaign_id, row_currency,
  row_amount::text, stats_revision, terms, note, source, source_id, balance_after::text, (extract(epoch from created) * 1000)::bigint::text as created_ms`

/** Entries of one statement: each is a row, and changes two others. */
const entriesAtATime = 1_000

/** Appends one. `id`: of its own unless one is given. */
export async function appendEntry(tx: Transaction, o: NewEntry & { id?: string; nowMs: number }): Promise<LedgerRow> {
  const [row] = await appendEntries(tx, [o], o)
  if (row === undefined) throw new Error('an entry that was not appended')
  return row
}

/** Appends them in their order. */
export async function appendEntries(
  tx: Transaction,
  entries: readonly (NewEntry & { id?: string })[],
  { nowMs }: { nowMs: number },
): Promise<LedgerRow[]> {
  const appended: LedgerRow[] = []
  for (let at = 0; at < entries.length; at += entriesAtATime) {
    const { rows } = await tx.query<LedgerRow>(
      `insert into ledger_entries (workspace_id, id, sub_affiliate_id, number, kind, reason, amount, currency, day, integration_id,
         campaign_id, row_currency, row_amount, stats_revision, terms, month, note, source, source_id, balance_after)
       select $1, e.id, e.sub_affiliate_id, 0, e.kind, e.reason, e.amount, e.currency, e.day, e.integration_id,
         e.campaign_id, e.row_currency, e.row_amount, e.stats_revision, e.terms, e.month, e.note, e.source, e.source_id, 0
       from jsonb_to_recordset($2::jsonb) as e(id text, sub_affiliate_id text, kind text, reason text, amount bigint, currency text, day date,
         integration_id text, campaign_id text, row_currency text, row_amount bigint, stats_revision integer, terms jsonb, month text,
         note text, source text, source_id text)
       returning ${columns}`,
      [workspaceOf(tx), JSON.stringify(entries.slice(at, at + entriesAtATime).map((one) => toRow(one, nowMs)))],
    )
    appended.push(...rows)
  }
  return appended
}

function toRow({ about, ...o }: NewEntry & { id?: string }, nowMs: number) {
  return {
    id: o.id ?? newId('led', nowMs),
    sub_affiliate_id: o.subAffiliateId,
    kind: o.kind,
    reason: o.reason,
    amount: String(o.amount),
    currency: o.currency,
    day: about?.day,
    integration_id: about?.integrationId,
    campaign_id: about?.campaignId,
    row_currency: about?.rowCurrency,
    row_amount: about && String(about.rowAmount),
    stats_revision: about?.revision,
    terms: about?.terms,
    month: o.month,
    note: o.note,
    source: o.source,
    source_id: o.sourceId,
  }
}

export interface Balance {
  currency: string
  /** Of months that are open or closing. */
  pending: bigint
  /** Of months that are closed, less payouts. */
  available: bigint
  /** By payouts that were paid and did not come back. */
  paidTotal: bigint
}

/** Sums of accounts; whoever selects names the workspace and the sub-affiliates of the alias `a`. */
export const accountsSql = `select a.sub_affiliate_id as id, a.currency, a.balance::text, (
    select coalesce(sum(m.amount), 0) from ledger_months m
    where m.workspace_id = a.workspace_id and m.sub_affiliate_id = a.sub_affiliate_id and not exists (
      select from stats_months c where c.workspace_id = a.workspace_id and c.id = m.month and c.status = 'closed'))::text as pending, (
    select coalesce(sum(p.paid_amount), 0) from payouts p
    where p.workspace_id = a.workspace_id and p.sub_affiliate_id = a.sub_affiliate_id and p.paid_amount > 0)::text as paid
  from ledger_accounts a`

export interface AccountRow {
  id: string
  currency: string
  balance: string
  pending: string
  paid: string
  [column: string]: unknown
}

export function toBalance({ currency, balance, pending, paid }: AccountRow): Balance {
  const open = BigInt(pending)
  return { currency, pending: open, available: BigInt(balance) - open, paidTotal: BigInt(paid) }
}

/**
 * By sub-affiliate; those without an entry are not in it. Primary keys of ledger_accounts, ledger_months and stats_months, and the index
 * payouts_paid.
 */
export async function readBalances(tx: Transaction, ids: readonly string[]): Promise<Map<string, Balance>> {
  const { rows } = await tx.query<AccountRow>(
    `${accountsSql} where a.workspace_id = $1 and a.sub_affiliate_id = any($2::text[])`,
    [workspaceOf(tx), ids],
  )
  return new Map(rows.map((row) => [row.id, toBalance(row)]))
}

/**
 * Whether the month of a day is closed (domain.md 7), or closing: nothing new is posted in it. The primary key of stats_months serves it.
 */
export async function isMonthClosed(tx: Transaction, day: string): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from stats_months where workspace_id = $1 and id = $2 and status in ('closing', 'closed')`,
    [workspaceOf(tx), day.slice(0, 7)],
  )
  return rows.length > 0
}

/** Months from the given one on that are closed or closing, in their order. Months close in any order. Primary key of stats_months. */
export async function closedMonthsFrom(tx: Transaction, from: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from stats_months where workspace_id = $1 and id >= $2 and status in ('closing', 'closed') order by id`,
    [workspaceOf(tx), from],
  )
  return rows.map(({ id }) => id)
}

/**
 * The first month from the given one on that is not closed or closing, since a closed one never changes, and that will be: one before the first
 * integration is, once a day of it holds rows. What is posted to a month that never closes is never paid, or never taken back.
 */
export async function firstOpenMonth(tx: Transaction, from: string): Promise<string> {
  const closed = new Set(await closedMonthsFrom(tx, from))
  const begin = (await readCalendar(tx, workspaceOf(tx)))?.firstDay.slice(0, 7) ?? from
  let month = from
  while (closed.has(month) || (month < begin && !(await hasDays(tx, month)))) month = monthAfter(month)
  return month
}

/** Whether a day of the month is there, or is to be. The primary keys of stats_days and stats_day_work serve it. */
async function hasDays(tx: Transaction, month: string): Promise<boolean> {
  const { rows } = await tx.query<{ has_days: boolean }>(
    `select exists (select from stats_days where workspace_id = $1 and id between $2 and $3)
       or exists (select from stats_day_work where workspace_id = $1 and day >= $2::text::date and day < $4::text::date) as has_days`,
    [workspaceOf(tx), `${month}-01`, `${month}-31`, `${monthAfter(month)}-01`],
  )
  return rows[0]?.has_days === true
}

/** What the filters of a list, `given` by query parameter, leave. */
interface Filtered {
  workspaceId: string
  given: Record<string, unknown>
}

function conditionsOf({ workspaceId, given }: Filtered, bind: Bind): string {
  const { sub_affiliate_id: accounts, kind, month } = given
  const wanted = Object.entries({ sub_affiliate_id: accounts, kind, month }).filter(
    ([, values]) => values !== undefined,
  )
  const conditions = [
    `workspace_id = ${bind(workspaceId)}`,
    ...createdConditionsOf(given, bind),
    ...wanted.map(([column, values]) => `${column} = any(${bind(values)}::text[])`),
  ]
  return conditions.join(' and ')
}

/** A page, newest first, of those before `before`, of one account. The unique index on the number serves it. */
export async function listEntries(
  tx: Transaction,
  o: { subAffiliateId: string; given: Record<string, unknown>; before: number | null; limit: number },
): Promise<LedgerRow[]> {
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value)}`
  const { rows } = await tx.query<LedgerRow>(
    `select ${columns} from ledger_entries where ${conditionsOf({ workspaceId: workspaceOf(tx), given: o.given }, bind)}
       and sub_affiliate_id = ${bind(o.subAffiliateId)} and number < ${bind(o.before ?? numberMax)} order by number desc limit ${bind(o.limit)}`,
    values,
  )
  return rows
}

/**
 * All entries that the filters leave, by account, the newest of each first: `place` from 1, and `listed`, a LedgerRow. The unique index on
 * the number serves it.
 */
export function allEntriesSql(asked: Filtered, bind: Bind): string {
  return `select place, to_jsonb(found) - 'place' as listed from (
     select row_number() over (order by sub_affiliate_id desc, number desc)::integer as place, ${columns} from ledger_entries
     where ${conditionsOf(asked, bind)}) found order by place`
}
