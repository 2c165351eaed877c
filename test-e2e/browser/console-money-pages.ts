// The pages about money that is owed and paid: invoices, sub-affiliates, commission plans, payouts.
import type { ConsolePage } from './console-page.ts'
import { seedPayouts } from './console-payout-journey.ts'
import type { ConsoleRig } from './console-rig.ts'

const invoices = new WeakMap<ConsoleRig, Promise<{ draft: string; open: string }>>()

/** Ids of a draft, and of an invoice that is paid in part and contested. */
export function seedInvoices(rig: ConsoleRig): Promise<{ draft: string; open: string }> {
  const known = invoices.get(rig) ?? makeInvoices(rig)
  invoices.set(rig, known)
  return known
}

async function makeInvoices({ client }: ConsoleRig): Promise<{ draft: string; open: string }> {
  // Of days before there was any source: they hold no rows, and nobody waits for them.
  const period = { from: '2020-01-01', to: '2020-01-31' }
  const line = (description: string, amount: number) => ({ kind: 'flat', description, amount })
  const json = {
    brand_slug: 'northern-bets',
    period,
    currency: 'EUR',
    memo: 'Thank you.',
    line_items: [line('Placement on the front page', 125_000), line('Newsletter', 40_000)],
  }
  const act = async (id: string, action: string, body: object) => {
    const headers = { 'if-match': '*', 'idempotency-key': `${id}-${action}` }
    const answer = await client(`/v1/invoices/${id}/${action}`, { json: body, headers })
    if (answer.status !== 200) throw new Error(`${action}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  const open = (await client('/v1/invoices', { json })).body.id as string
  await act(open, 'generate', {})
  await act(open, 'send', { channel: 'email' })
  await act(open, 'record-payment', { amount: 65_000, received: '2026-01-05', method: 'bank', reference: 'part' })
  await act(open, 'dispute', { reason: 'period', note: 'The newsletter was sent in February.' })
  const draft = (await client('/v1/invoices', { json: { ...json, period: { from: '2020-02-01', to: '2020-02-29' } } }))
    .body.id as string
  return { draft, open }
}

export const moneyPages: readonly ConsolePage[] = [
  { name: 'invoices-none', path: 'invoices?status=void', heading: 'Invoices' },
  { name: 'invoices', path: async (rig) => (await seedInvoices(rig)) && 'invoices', heading: 'Invoices' },
  { name: 'invoice', path: async (rig) => `invoices/${(await seedInvoices(rig)).open}`, heading: /^Invoice \d{4}-/ },
  {
    name: 'invoice-draft',
    path: async (rig) => `invoices/${(await seedInvoices(rig)).draft}`,
    heading: 'Draft for Northern Bets',
  },
  { name: 'invoice-new', path: 'invoices/new', heading: 'New invoice' },
  { name: 'sub-affiliates-none', path: 'sub-affiliates?status=removed', heading: 'Sub-affiliates' },
  {
    name: 'sub-affiliates',
    path: async (rig) => (await seedPayouts(rig)) && 'sub-affiliates',
    heading: 'Sub-affiliates',
  },
  {
    name: 'sub-affiliate',
    path: async (rig) => `sub-affiliates/${(await seedPayouts(rig)).subAffiliate}`,
    heading: 'Mia Moreau',
  },
  {
    name: 'sub-affiliate-invited',
    path: async (rig) => `sub-affiliates/${(await seedPayouts(rig)).invited}`,
    heading: 'Ivo Invited',
  },
  {
    name: 'sub-affiliate-new',
    path: async (rig) => (await seedPayouts(rig)) && 'sub-affiliates/new',
    heading: 'Invite sub-affiliate',
  },
  {
    name: 'commission-plans',
    path: async (rig) => (await seedPayouts(rig)) && 'commission-plans',
    heading: 'Commission plans',
  },
  {
    name: 'commission-plan',
    path: async (rig) => `commission-plans/${(await seedPayouts(rig)).tiered}`,
    heading: 'Growth',
  },
  {
    name: 'commission-plan-new',
    path: async (rig) => `commission-plans/new?from=${(await seedPayouts(rig)).tiered}`,
    heading: 'New commission plan',
  },
  { name: 'payouts-none', path: 'payouts?status=canceled', heading: 'Payouts' },
  { name: 'payouts', path: async (rig) => (await seedPayouts(rig)) && 'payouts', heading: 'Payouts' },
  {
    name: 'payout',
    path: async (rig) => `payouts/${(await seedPayouts(rig)).held}`,
    heading: 'Payout of €400.00',
  },
]
