// What the ledger of a sub-affiliate shows, and what people post to it (domain.md 3.9).
import { newId } from '@wds/aggregate/new-id'
import { invalidState, loadOr404 } from '@wds/aggregate/resource'
import { page } from '@wds/http-service/cursor'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { ApiDependencies } from '../dependencies.ts'
import { presentMonth } from '../ledger/present-month.ts'
import { appendEntry, isMonthClosed, listEntries, readBalances } from '../ledger/store-ledger.ts'
import { toApiEntry } from '../ledger/to-api-entry.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { earliestDate } from '../sources/domain/check-row.ts'
import { subAffiliates, toApiBalance } from './resource.ts'
import { lockSubAffiliates } from './store-places.ts'

export function ledgerRoutes({ cursors }: Pick<ApiDependencies, 'cursors'>): RouteOf<paths>[] {
  const { read, write } = subAffiliates.scopes
  const one = '/v1/sub-affiliates/{id}'
  return [
    { method: 'GET', path: `${one}/balance`, scope: read, handle: readBalance },
    { method: 'GET', path: `${one}/ledger`, scope: read, handle: listLedger(cursors) },
    { method: 'POST', path: `${one}/adjustments`, scope: write, idempotencyKeyRequired: true, handle: adjust },
  ]
}

const readBalance: Handle<operations['readSubAffiliateBalance']> = async (request) => {
  const { id } = request.params
  const body = await request.read(async (tx) => {
    const { state } = await loadOr404(tx, subAffiliates, id)
    const balance = (await readBalances(tx, [id])).get(id) ?? null
    return toApiBalance(balance, state.fields?.payout_currency ?? '')
  })
  return { status: 200, body: { object: 'balance', sub_affiliate_id: id, ...body } }
}

function listLedger(cursors: ApiDependencies['cursors']): Handle<operations['listLedgerEntries']> {
  return async (request) => {
    const { id } = request.params
    const { cursor, limit, ...asked } = request.query
    const filters = { ...asked, id }
    const binding = { workspaceId: request.client.workspaceId, route: '/v1/sub-affiliates/{id}/ledger', filters }
    const [before = null] = cursor === undefined ? [] : cursors.decode(cursor, binding).map(Number)
    const rows = await request.read(async (tx) => {
      await loadOr404(tx, subAffiliates, id)
      return listEntries(tx, { subAffiliateId: id, given: asked, before, limit: limit + 1 })
    })
    const found = page(rows, limit, ({ number }) => cursors.encode({ ...binding, position: [number] }))
    return { status: 200, body: { ...found, data: found.data.map(toApiEntry) } }
  }
}

/** In the month that is asked for, by default the first open one from the present one on. */
const adjust: Handle<operations['adjustSubAffiliate']> = (request) =>
  request.write(async (tx) => {
    const { id } = request.params
    const { state, nowMs } = await loadOr404(tx, subAffiliates, id, { lock: true })
    const { amount, note = null, month } = request.body
    if (amount === 0) throw problemOfFaults([{ pointer: '/amount', code: 'out_of_range', detail: 'Must not be 0.' }])
    await lockSubAffiliates(tx)
    if (state.status === 'removed') await requireSettling(tx, id, amount)
    const present = await presentMonth(tx, nowMs)
    if (month !== undefined) await requireOpen(tx, month, present)
    const entryId = newId('led', nowMs)
    const entry = await appendEntry(tx, {
      id: entryId,
      subAffiliateId: id,
      kind: 'adjustment',
      reason: 'manual',
      amount: BigInt(amount),
      note,
      about: null,
      currency: state.fields?.payout_currency ?? '',
      month: month ?? present,
      source: 'manual',
      sourceId: entryId,
      nowMs,
    })
    return { status: 201, location: `/v1/sub-affiliates/${id}/ledger`, body: toApiEntry(entry) }
  }) as ReturnType<Handle<operations['adjustSubAffiliate']>>

/** A month that never begins, or that can hold no stats, is never closed: what is posted to it could never be paid out. */
async function requireOpen(tx: Transaction, month: string, present: string): Promise<void> {
  const first = earliestDate.slice(0, 7)
  if (month < first || month > present) {
    const detail = `Must be from ${first} to ${present}, the first open month from the present one on.`
    throw problemOfFaults([{ pointer: '/month', code: 'out_of_range', detail }])
  }
  if (!(await isMonthClosed(tx, month))) return
  throw new Problem('period_closed', {
    errors: [{ pointer: '/month', code: 'period_closed', detail: `${month} is closed.` }],
  })
}

/** After the removal a payout may come back: what it brought is written off or was paid otherwise, whole. */
async function requireSettling(tx: Transaction, id: string, amount: number): Promise<void> {
  const { pending = 0n, available = 0n } = (await readBalances(tx, [id])).get(id) ?? {}
  if (BigInt(amount) === -(pending + available)) return
  const detail = 'It was removed: an adjustment may only bring its whole balance to 0.'
  throw invalidState({ code: 'invalid_state', current_status: 'removed', allowed: [] }, detail)
}
