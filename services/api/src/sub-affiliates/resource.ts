// Declares the sub-affiliate: its stream, its row, its place in the API (domain.md 3.8). Its personal data stands beside: store-profiles.ts.
import type { Change, Loaded } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { commonFields, type Resource } from '@wds/aggregate/resource'
import type { InvalidState } from '@wds/decider/decider'
import type { Transaction } from '@wds/postgres/transaction'
import { toInstant } from '../calendar/domain/calendar.ts'
import { type Balance, readBalances } from '../ledger/store-ledger.ts'
import type { SubAffiliate } from '../openapi.generated.ts'
import { subAffiliatePublicEvent } from './domain/public-events.ts'
import {
  planOf,
  type SubAffiliateCommand,
  type SubAffiliateEvent,
  type SubAffiliateState,
  subAffiliateDecider,
} from './domain/sub-affiliate.ts'
import { maskedEmail } from './domain/sub-affiliate-form.ts'
import { endInvitations } from './store-invitations.ts'
import { wakePayouts } from './store-open-payouts.ts'
import { type Profile, readProfiles } from './store-profiles.ts'
import { markFinalDays, setWork } from './store-work.ts'

/** From the removal until its profile is erased. */
export const erasedAfterMs = 90 * 86_400_000

export const subAffiliates: Resource<
  SubAffiliateState,
  SubAffiliateCommand,
  SubAffiliateEvent,
  InvalidState,
  SubAffiliate
> = {
  streamType: 'sub_affiliate',
  idPrefix: 'sub',
  table: 'sub_affiliates',
  path: '/v1/sub-affiliates',
  scopes: { read: 'invoices:read', write: 'invoices:write' },
  decider: subAffiliateDecider,
  columns: ({ status, fields }) => ({
    status,
    plan_id: fields === null ? null : planOf(fields),
    external_id: fields?.external_id,
  }),
  filters: { status: 'status', plan_id: 'plan_id' },
  isPersonal: true,
  isLive: true,
  toListed: asListed,
  announce: publicEvents(subAffiliatePublicEvent),
  project: followStatus,
  // The worker finds what is to expire or to be erased by a row beside it.
  async beforeRebuild(tx, rows) {
    for (const { id, state } of rows) await setWork(tx, { id, atMs: dueMs(state) })
  },
  async toApi(rows, tx) {
    const ids = rows.map(({ id }) => id)
    const profiles = await readProfiles(tx, ids)
    const balances = await readBalances(tx, ids)
    return rows.map((row) => toApiSubAffiliate(row, profiles.get(row.id) ?? null, balances.get(row.id) ?? null))
  },
}

/** When its invitation ends, or its profile is erased; null where nobody waits. */
export function dueMs({ status, expires_ms, removed_ms }: SubAffiliateState): number | null {
  if (status === 'invited') return expires_ms
  return status === 'removed' && removed_ms !== null ? removed_ms + erasedAfterMs : null
}

/** The day from which it earns otherwise, or null. Whoever changes that holds the lock of the workspace's sub-affiliates. */
function earningFrom(events: readonly SubAffiliateEvent[], { fields }: SubAffiliateState): string | null {
  const days = events.flatMap((event) => {
    if (event.type === 'PlanChanged') return [event.data.plan.effective_from]
    const isNamed = event.type === 'SubAffiliateUpdated' && event.data.changed.includes('external_id')
    const isNew = event.type === 'SubAffiliateInvited' || event.type === 'SubAffiliateAdded'
    return isNamed || isNew ? [fields?.plan_history[0]?.effective_from ?? ''] : []
  })
  return fields?.external_id == null ? null : (days.sort()[0] ?? null)
}

async function followStatus(tx: Transaction, change: Change<SubAffiliateState, SubAffiliateEvent>): Promise<void> {
  const { before, after, events } = change
  const from = earningFrom(events, after.state)
  if (from !== null) await markFinalDays(tx, from)
  if (dueMs(before) !== dueMs(after.state)) await setWork(tx, { id: after.id, atMs: dueMs(after.state) })
  if (before.status === after.state.status) return
  if (after.state.status === 'removed') await endInvitations(tx, after.id, 'withdrawn')
  if (before.status === 'suspended') await wakePayouts(tx, after.id)
}

const instantOf = (ms: number | null) => (ms === null ? null : toInstant(ms))

export function toApiSubAffiliate(
  row: Loaded<SubAffiliateState>,
  profile: Profile | null,
  balance: Balance | null,
): SubAffiliate {
  const { status, fields, joined_ms, expires_ms } = row.state
  if (fields === null || status === 'none') throw new Error('a sub-affiliate without fields')
  return {
    ...commonFields('sub_affiliate', row),
    status,
    name: profile?.name ?? null,
    email: profile?.email ?? null,
    ...fields,
    plan_id: planOf(fields),
    payout_method: profile?.payoutMethod ?? null,
    balance: toApiBalance(balance, fields.payout_currency),
    joined: instantOf(joined_ms),
    invitation_expires: instantOf(expires_ms),
  }
}

/** As a list shows it. */
export function asListed(shown: SubAffiliate): SubAffiliate {
  return { ...shown, email: shown.email === null ? null : maskedEmail(shown.email) }
}

export function toApiBalance(balance: Balance | null, currency: string) {
  const { pending, available, paidTotal } = balance ?? { pending: 0n, available: 0n, paidTotal: 0n }
  return { currency, pending: Number(pending), available: Number(available), paid_total: Number(paidTotal) }
}
