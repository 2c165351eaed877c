// Decides how conversions that share their place and quarter of an hour become a row of stats (domain.md 4.3, 4.4). The row is judged by
// the same rules as those of every source.
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type CheckedRow, checkRow, type RowRules } from '../../sources/domain/check-row.ts'
import type { PostbackEvent } from '../../sources/domain/postback-settings.ts'
import { type BoundEntry, bindHeader, type MappingEntry } from '../../sources/domain/row-mapping.ts'
import { isCount } from '../../stats/domain/measures.ts'
import { effectOf } from './effects.ts'

/** Conversions of one quarter of an hour that share everything that a row is keyed by. Each zone changes its hour at a full quarter. */
export interface ConversionGroup {
  quarterMs: number
  event: PostbackEvent
  kind: 'other' | null
  campaign: string | null
  country: string | null
  currency: string
  /** Of a sub-affiliate; or one of those that nobody has, for all of them. */
  subId: string | null
  conversions: bigint
  /** Sums in minor units; null where none of them has one. */
  amount: bigint | null
  commission: bigint | null
}

const dimensions = ['hour', 'campaign', 'country', 'currency', 'sub_id'] as const

/** The row of a group, or why there is none. */
export function foldGroup(group: ConversionGroup, rules: RowRules): CheckedRow {
  const { counts, amount, commission } = effectOf(group.event, group.kind)
  const cells = [
    new Date(group.quarterMs).toISOString(),
    group.campaign,
    group.country,
    group.currency,
    group.subId,
    ...counts.map(() => group.conversions.toString()),
    ...amount.map(() => group.amount?.toString() ?? null),
    ...commission.map(() => group.commission?.toString() ?? null),
  ]
  return checkRow(cells, entriesOf(group), rules)
}

const bound = new Map<string, BoundEntry[]>()

function entriesOf({ event, kind }: ConversionGroup): BoundEntry[] {
  const key = `${event} ${kind}`
  const known = bound.get(key)
  if (known !== undefined) return known
  const { counts, amount, commission } = effectOf(event, kind)
  const columns = [...dimensions, ...counts, ...amount, ...commission]
  const mapping = columns.map((to) => {
    const isMoney = !isDimension(to) && !isCount(to)
    return withoutUndefined<MappingEntry>({ to, from: to, unit: isMoney ? ('minor' as const) : undefined })
  })
  const found = bindHeader(columns, 'hour', mapping)
  if (!found.ok) throw new Error('the columns of a fold do not bind to themselves')
  bound.set(key, found.entries)
  return found.entries
}

function isDimension(name: string): name is (typeof dimensions)[number] {
  return (dimensions as readonly string[]).includes(name)
}
