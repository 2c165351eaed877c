// Stores conversions and reads them for a fold. What is stored never changes; a second one with the same id is none.
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

/** The conversions of [fromMs, toMs) in groups, at most `limit`. The index postback_conversions_occurred serves it. */
export async function readGroups(
  tx: Transaction,
  o: { integrationId: string; fromMs: number; toMs: number; limit: number },
): Promise<ConversionGroup[]> {
  type Row = Omit<ConversionGroup, 'quarterMs' | 'hasSubId' | 'conversions' | 'amount' | 'commission'> & {
    quarter_ms: string
    event: PostbackEvent
    has_sub_id: boolean
    conversions: string
    amount: string | null
    commission: string | null
  }
  const { rows } = await tx.query<Row>(
    `select (extract(epoch from date_bin('15 minutes', occurred, 'epoch')) * 1000)::bigint as quarter_ms, event, kind, campaign,
       country, currency, sub_id is not null as has_sub_id, count(*) as conversions, sum(amount) as amount, sum(commission) as commission
     from postback_conversions
     where workspace_id = $1 and integration_id = $2
       and occurred >= to_timestamp($3::float8 / 1000) and occurred < to_timestamp($4::float8 / 1000)
     group by 1, 2, 3, 4, 5, 6, 7 limit $5`,
    [workspaceOf(tx), o.integrationId, o.fromMs, o.toMs, o.limit],
  )
  const whole = (text: string | null) => (text === null ? null : BigInt(text))
  return rows.map(({ quarter_ms, has_sub_id, ...row }) => ({
    ...row,
    quarterMs: Number(quarter_ms),
    hasSubId: has_sub_id,
    conversions: BigInt(row.conversions),
    amount: whole(row.amount),
    commission: whole(row.commission),
  }))
}

/** When the first conversion of all occurred; null without one. The index postback_conversions_occurred serves it. */
export function firstOccurredMs(tx: Transaction, integrationId: string): Promise<number | null> {
  const text = `select extract(epoch from min(occurred))::float8 * 1000 as ms from postback_conversions
    where workspace_id = $1 and integration_id = $2`
  return oneInstant(tx, text, [workspaceOf(tx), integrationId])
}

/**
 * When the first of the conversions occurred that were received in [fromMs, toMs) more than a day after they had occurred; null
 * without one. The index postback_conversions_late serves it.
 */
export function firstLateMs(
  tx: Transaction,
  integrationId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<number | null> {
  const text = `select extract(epoch from min(occurred))::float8 * 1000 as ms from postback_conversions
    where workspace_id = $1 and integration_id = $2 and late
      and received >= to_timestamp($3::float8 / 1000) and received < to_timestamp($4::float8 / 1000)`
  return oneInstant(tx, text, [workspaceOf(tx), integrationId, fromMs, toMs])
}

/** Up to when received conversions are in the stats; null before the first fold. The primary key serves it. */
export function foldedMs(tx: Transaction, integrationId: string): Promise<number | null> {
  const text = `select extract(epoch from folded)::float8 * 1000 as ms from postback_folds
    where workspace_id = $1 and integration_id = $2`
  return oneInstant(tx, text, [workspaceOf(tx), integrationId])
}

/** What was received before the instant is in the stats. */
export async function writeFolded(tx: Transaction, integrationId: string, ms: number): Promise<void> {
  await tx.query(
    `insert into postback_folds (workspace_id, integration_id, folded) values ($1, $2, to_timestamp($3::float8 / 1000))
     on conflict (workspace_id, integration_id) do update set folded = greatest(postback_folds.folded, excluded.folded)`,
    [workspaceOf(tx), integrationId, ms],
  )
}

async function oneInstant(tx: Transaction, text: string, values: unknown[]): Promise<number | null> {
  const { rows } = await tx.query<{ ms: number | null }>(text, values)
  return rows[0]?.ms ?? null
}
