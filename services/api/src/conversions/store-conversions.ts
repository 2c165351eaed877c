// Stores conversions, reads them for a fold, and removes old ones. What is stored never changes; a second one with the same id is none.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { PostbackEvent } from '../sources/domain/postback-settings.ts'
import type { Conversion } from './domain/conversion.ts'
import type { ConversionGroup } from './domain/fold-group.ts'

/** Stores it; false where the event has one with its id. The primary key serves it. */
export async function insertConversion(
  tx: Transaction,
  integrationId: string,
  conversion: Conversion,
): Promise<boolean> {
  const { event, txId, occurredMs, campaign, subId, country, currency, amount, commission, kind } = conversion
  const { rowCount } = await tx.query({
    name: 'insert-conversion',
    text: `insert into postback_conversions
      (workspace_id, integration_id, event, tx_id, occurred, campaign, sub_id, country, currency, amount, commission, kind,
        received, late)
      values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), $6, $7, $8, $9, $10, $11, $12,
        app_now(), to_timestamp($5::float8 / 1000) < app_now() - interval '1 day')
      on conflict (workspace_id, integration_id, event, tx_id) do nothing`,
    values: [
      ...[workspaceOf(tx), integrationId, event, txId, occurredMs, campaign, subId, country, currency],
      ...[amount?.toString() ?? null, commission?.toString() ?? null, kind],
    ],
  })
  return rowCount === 1
}

/** Removes the oldest of those that occurred before the instant, and says how many. The index postback_conversions_occurred serves it. */
export async function deleteConversions(
  tx: Transaction,
  o: { integrationId: string; beforeMs: number; limit: number },
): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from postback_conversions where ctid = any(array(
       select ctid from postback_conversions
       where workspace_id = $1 and integration_id = $2 and occurred < to_timestamp($3::float8 / 1000)
       order by occurred limit $4))`,
    [workspaceOf(tx), o.integrationId, o.beforeMs, o.limit],
  )
  return rowCount ?? 0
}

/** Everything that tells a group from the others of its integration, in the order in which they are read. */
export type GroupKey = Pick<
  ConversionGroup,
  'quarterMs' | 'event' | 'kind' | 'campaign' | 'country' | 'currency' | 'subId'
>

interface GroupPage {
  integrationId: string
  fromMs: number
  toMs: number
  /** Sub-ids that are told apart. Networks send others, too, as one for each click: of those one stands for all. */
  subIds: readonly string[]
  after: GroupKey | null
  limit: number
}

/**
 * The next groups of the conversions of [fromMs, toMs), at most `limit`, in the order of their quarters. The index
 * postback_conversions_occurred serves it: a page reads what is left of the range, so a range is to hold a few pages.
 */
export async function readGroups(tx: Transaction, o: GroupPage): Promise<ConversionGroup[]> {
  type Row = {
    quarter_ms: string
    event: PostbackEvent
    kind: '' | 'other'
    campaign: string
    country: string
    currency: string
    sub_id: string | null
    conversions: string
    amount: string | null
    commission: string | null
  }
  const { after } = o
  const { rows } = await tx.query<Row>(
    `select (extract(epoch from quarter) * 1000)::bigint as quarter_ms, event, kind, campaign, country, currency,
       min(sub_id) as sub_id, count(*) as conversions, sum(amount) as amount, sum(commission) as commission
     from (select date_bin('15 minutes', occurred, 'epoch') as quarter, event, coalesce(kind, '') as kind,
         coalesce(campaign, '') as campaign, coalesce(country, '') as country, currency, sub_id,
         case when sub_id is null then '' when sub_id = any($12::text[]) then '=' || sub_id else '?' end as place,
         amount, commission
       from postback_conversions
       where workspace_id = $1 and integration_id = $2
         and occurred >= to_timestamp($3::float8 / 1000) and occurred < to_timestamp($4::float8 / 1000)) c
     where $6::float8 is null or (quarter, event, kind, campaign, country, currency, place)
       > (to_timestamp($6::float8 / 1000), $7::text, $8::text, $9::text, $10::text, $11::text, $13::text)
     group by quarter, event, kind, campaign, country, currency, place
     order by quarter, event, kind, campaign, country, currency, place limit $5`,
    [
      ...[workspaceOf(tx), o.integrationId, o.fromMs, o.toMs, o.limit],
      ...[after?.quarterMs ?? null, after?.event ?? null, after?.kind ?? '', after?.campaign ?? ''],
      ...[after?.country ?? '', after?.currency ?? null, o.subIds, placeOf(after?.subId ?? null, o.subIds)],
    ],
  )
  const whole = (text: string | null) => (text === null ? null : BigInt(text))
  return rows.map((row) => ({
    quarterMs: Number(row.quarter_ms),
    event: row.event,
    kind: row.kind || null,
    campaign: row.campaign || null,
    country: row.country || null,
    currency: row.currency,
    subId: row.sub_id,
    conversions: BigInt(row.conversions),
    amount: whole(row.amount),
    commission: whole(row.commission),
  }))
}

/** As the query puts it: no sub-id, one of those that are told apart, or another. */
function placeOf(subId: string | null, subIds: readonly string[]): string {
  if (subId === null) return ''
  return subIds.includes(subId) ? `=${subId}` : '?'
}

/** When the first conversion of all occurred; null without one. The index postback_conversions_occurred serves it. */
export async function firstOccurredMs(tx: Transaction, integrationId: string): Promise<number | null> {
  const { rows } = await tx.query<{ ms: number | null }>(
    `select extract(epoch from min(occurred))::float8 * 1000 as ms from postback_conversions
     where workspace_id = $1 and integration_id = $2`,
    [workspaceOf(tx), integrationId],
  )
  return rows[0]?.ms ?? null
}

/**
 * When the first of the conversions occurred that were received in [fromMs, toMs) more than a day after they had occurred; null
 * without one. Of the first `limit` alone, where there are more: `isAll` says so. The index postback_conversions_late serves it.
 */
export async function firstLate(
  tx: Transaction,
  integrationId: string,
  o: { fromMs: number; toMs: number; limit: number },
): Promise<{ ms: number | null; isAll: boolean }> {
  const { rows } = await tx.query<{ ms: number | null; n: number }>(
    `select extract(epoch from min(occurred))::float8 * 1000 as ms, count(*)::integer as n from (
       select occurred from postback_conversions
       where workspace_id = $1 and integration_id = $2 and late
         and received >= to_timestamp($3::float8 / 1000) and received < to_timestamp($4::float8 / 1000)
       order by received limit $5 + 1) c`,
    [workspaceOf(tx), integrationId, o.fromMs, o.toMs, o.limit],
  )
  const { ms = null, n = 0 } = rows[0] ?? {}
  return { ms, isAll: n <= o.limit }
}
