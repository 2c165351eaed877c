/**
 * The sample data, made once through the public doors: a workspace, 90 days of numbers, a network to pull from, invoices, a subscription that is well, one that fails and
 * one whose endpoint is gone, dead letters, an app to try. What a killed start has made is not made again.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ask, call, type SampleAnswer, waitUntil } from './call.ts'
import { areGivenUp, type FailedDelivery } from './given-up.ts'
import { isUnfinished, type Stored } from './notes.ts'
import { signInAsOwner } from './owner-session.ts'
import { sampleRateDays, sampleRatesFile, sampleRatesSource } from './sample-rates.ts'
import {
  demoSource,
  feeInvoice,
  monthBefore,
  monthlyFile,
  monthlySource,
  networkSource,
  refusedSource,
  uploadSource,
} from './sources.ts'
import { subAffiliateOf, subAffiliateSource, subAffiliates, trafficFile } from './sub-affiliates.ts'
import { ensureWorkspace, type Sample, type SamplePlace, sampleOf } from './workspace.ts'

export interface SampleOptions extends SamplePlace {
  /** All of it, else a workspace with two integrations. */
  full: boolean
  receiverUrl: string
  /** The local affiliate network. */
  sourceUrl: string | null
  /** Where the app that can be tried takes its redirect. */
  sampleAppUrl: string
  /** Aborted when the start is called off. */
  signal: AbortSignal
  say(line: string): void
  /** Gives delivery its own retry schedule instead of the one of milliseconds with which the dead letters are made. */
  useOwnSchedule(): Promise<void>
}

/** Fails the start where there is no workspace; what else cannot be made is told, and the next start goes on with it. */
export async function ensureSample(o: SampleOptions): Promise<Sample> {
  const { notes, say } = o
  const { stored, save } = notes
  const isFirst = stored.api_key === undefined
  if (isFirst) say('sample data: a workspace, its owner and a key')
  await ensureWorkspace(o)
  const work = makerOf(o)
  if (!isUnfinished(notes, o)) {
    await addIntegrations(work)
    if (stored.story_day !== undefined) await addRates(work)
    return sampleOf(notes)
  }
  if (!isFirst) say('sample data: going on where the last start ended')
  try {
    for (const [line, step] of steps) {
      o.signal.throwIfAborted()
      say(`sample data: ${line}`)
      await step(work)
    }
    stored.is_whole = true
    save()
  } catch (error) {
    o.signal.throwIfAborted()
    say(`sample data: not whole, the next start goes on with them (${(error as Error).message})`)
    await addIntegrations(work)
    await o.useOwnSchedule()
  }
  return sampleOf(notes)
}

interface Maker extends SampleOptions {
  stored: Stored
  token: string
  /** UTC day of the first start. */
  day: string
  /** Id of a thing that is made once, by its name; `path` as of the API. */
  make(name: string, path: string, body: object): Promise<string>
  get(path: string): Promise<SampleAnswer['body']>
}

function makerOf(o: SampleOptions): Maker {
  const { stored, save } = o.notes
  const token = String(stored.api_key)
  stored.made ??= {}
  const made = stored.made
  return {
    ...o,
    stored,
    token,
    day: stored.story_day ?? '',
    async make(name, path, body) {
      const known = made[name]
      if (known !== undefined) return known
      const answer = await ask(`the ${name} of the sample`, `${o.baseUrl}${path}`, {
        token,
        body,
        key: `sample ${name}`,
      })
      made[name] = String(answer.id)
      save()
      return String(answer.id)
    },
    get: (path) => ask(path, `${o.baseUrl}${path}`, { token }),
  }
}

/** The traffic comes first: its days are final, and paid for, at the end. */
const steps: [line: string, run: (work: Maker) => Promise<void>][] = [
  [`exchange rates of the days that the service has none of (${sampleRatesSource})`, addRates],
  ['two sub-affiliates, their plans and the traffic that they brought', addSubAffiliates],
  ['three subscriptions: one is well, one fails, one has gone', subscribe],
  ['90 days of numbers, made up and pulled from a network; a source that refuses; a file with a bad line', addSources],
  ['an OAuth app to try', registerApp],
  ['waiting for the numbers', awaitNumbers],
  ['invoices: a draft of the month before, one to be sent, one that is paid in part', addInvoices],
  ['waiting until what fails has been given up, here after milliseconds instead of hours', awaitDeadLetters],
  ['from here on the retry schedule is the real one', ({ useOwnSchedule }) => useOwnSchedule()],
  ['a delivery that waits for its next attempt', sendTests],
  ['waiting until a month is closed, and a payout of what a sub-affiliate has earned in it', addPayout],
]

/** Also at later starts, as days go on. */
async function addRates({ make, get }: Maker): Promise<void> {
  const days = sampleRateDays(new Date().toISOString().slice(0, 10))
  if (days.length === 0) return
  const path = `/v1/imports?type=fx_rates&source=${encodeURIComponent(sampleRatesSource)}`
  const file = { text: sampleRatesFile(days), contentType: 'text/csv' }
  const id = await make(`rates until ${days.at(-1)}`, path, file)
  await waitUntil('the rates of the sample are there', stepWithinMs, async () => {
    return (await get(`/v1/imports/${id}`)).status === 'completed'
  })
}

const allOfSyncs = ['integration.*', 'sync.*', 'import.*']
/** Deliveries of a step of the sample, and numbers of a source, on a machine that does much else. */
const stepWithinMs = 120_000

/** The receiver answers such a path with that status, whatever its mode is (packages/fake-receiver). */
async function subscribe({ receiverUrl, make, get, token, baseUrl }: Maker): Promise<void> {
  const add = (name: string, status: number, description: string, events: string[]) =>
    make(name, '/v1/webhooks', { url: `${receiverUrl}/status/${status}/${name}`, events, description })
  await add('bookkeeping', 200, 'Bookkeeping', allOfSyncs)
  await add('warehouse', 500, 'Data warehouse', allOfSyncs)
  const gone = await add('crm', 410, 'Former CRM', ['sync.*'])
  // 410 disables it at once, so the others end with it; a repeated step is refused.
  const test = () => call(`${baseUrl}/v1/webhooks/${gone}/test`, { token, body: {} })
  await Promise.all(Array.from({ length: 4 }, test))
  await waitUntil('the endpoint that has gone is noticed', stepWithinMs, async () => {
    return (await get(`/v1/webhooks/${gone}`)).status === 'disabled'
  })
}

async function addIntegrations({ stored, notes, baseUrl, token }: Maker): Promise<void> {
  const wanted = { csv_upload_id: uploadSource, demo_id: demoSource(stored.story_day) }
  for (const [slot, body] of Object.entries(wanted) as ['csv_upload_id' | 'demo_id', object][]) {
    if (stored[slot] !== undefined) continue
    const made = await ask('the sample integration', `${baseUrl}/v1/integrations`, {
      token,
      body,
      key: `sample-${slot}`,
    })
    stored[slot] = String(made.id)
    notes.save()
  }
}

async function addSources(work: Maker): Promise<void> {
  const { make, day, sourceUrl } = work
  await addIntegrations(work)
  if (sourceUrl !== null) await make('network source', '/v1/integrations', networkSource(sourceUrl))
  await make('refused source', '/v1/integrations', refusedSource)
  const monthly = await make('monthly source', '/v1/integrations', monthlySource)
  const file = { text: monthlyFile(day), contentType: 'text/csv' }
  await make('monthly file', `/v1/imports?type=stats&integration_id=${monthly}`, file)
}

async function addSubAffiliates({ make, day }: Maker): Promise<void> {
  // The file names them, so they are there before it.
  for (const [name, { plan, profile }] of Object.entries(subAffiliates)) {
    const planId = await make(`plan of the ${name}`, '/v1/commission-plans', plan)
    await make(name, '/v1/sub-affiliates', subAffiliateOf(profile, planId, day))
  }
  const source = await make('traffic source', '/v1/integrations', subAffiliateSource)
  const file = { text: trafficFile(day), contentType: 'text/csv' }
  await make('traffic file', `/v1/imports?type=stats&integration_id=${source}`, file)
}

/** Of a month that is closed: the first of the file, whose days rest while the rest of the sample is made. */
async function addPayout({ stored, make, get, baseUrl, token }: Maker): Promise<void> {
  const id = stored.made?.reviewer
  await waitUntil('a sub-affiliate of the sample has earned something', stepWithinMs, async () => {
    return (await get(`/v1/sub-affiliates/${id}/balance`)).available > 0
  })
  const payout = await make('payout', '/v1/payouts', { sub_affiliate_id: id })
  const o = { token, body: { reference: 'Sample 2' }, key: `sample mark-paid ${payout}`, ifMatch: '*' }
  await ask('a payout of the sample (mark-paid)', `${baseUrl}/v1/payouts/${payout}/mark-paid`, o)
}

const logo = join(import.meta.dirname, '../../../../packages/cli/sample-logo.png')

/** By the owner, as in the console: in development, so it acts in this workspace alone. */
async function registerApp({ stored, notes, baseUrl, sampleAppUrl }: Maker): Promise<void> {
  if (stored.app !== undefined) return
  const app = {
    name: 'Sample app',
    redirect_urls: [`${sampleAppUrl}/callback`],
    scopes: ['stats:read', 'integrations:read'],
    state: 'development',
  }
  const form = new FormData()
  form.set('app', JSON.stringify(app))
  form.set('logo', new File([readFileSync(logo)], basename(logo), { type: 'image/png' }))
  const session = await signInAsOwner(baseUrl, sampleOf(notes).owner)
  const made = await session.postForm('/v1/oauth-apps', form, 'sample app')
  stored.app = {
    client_id: made.client_id,
    client_secret: made.client_secret,
    redirect_url: `${sampleAppUrl}/callback`,
  }
  notes.save()
  await session.end()
}

async function awaitNumbers({ stored, get }: Maker): Promise<void> {
  const { 'network source': network, 'refused source': refused, 'monthly file': file } = stored.made ?? {}
  await waitUntil('the sources of the sample have been read', stepWithinMs, async () => {
    const [demo, pulled, source, upload] = await Promise.all([
      ...[get(`/v1/integrations/${stored.demo_id}`), get(`/v1/integrations/${network}`)],
      ...[get(`/v1/integrations/${refused}`), get(`/v1/imports/${file}`)],
    ])
    const areRead = demo.status === 'active' && pulled.status === 'active'
    return areRead && source.status === 'broken' && upload.status === 'completed_with_errors'
  })
}

async function addInvoices({ make, day, baseUrl, token }: Maker): Promise<void> {
  const draft = { brand_slug: 'northern-bets', currency: 'EUR', period: monthBefore(day, 1) }
  await make('invoice of the month before', '/v1/invoices', draft)
  const generated = await make('invoice to be sent', '/v1/invoices', feeInvoice('acme-casino', day))
  const paid = await make('invoice paid in part', '/v1/invoices', feeInvoice('northern-bets', day))
  const act = (id: string, action: string, body: object) => {
    const o = { token, body, key: `sample ${action} ${id}`, ifMatch: '*' }
    return ask(`an invoice of the sample (${action})`, `${baseUrl}/v1/invoices/${id}/${action}`, o)
  }
  for (const id of [generated, paid]) await act(id, 'generate', {})
  await act(paid, 'send', { channel: 'email' })
  await act(paid, 'record-payment', { amount: 65_000, received: day, method: 'bank', reference: 'Sample 1' })
}

/** Each of the four sources has told of its run by now, and the event has been given up. */
async function awaitDeadLetters({ stored, get }: Maker): Promise<void> {
  await waitUntil('the deliveries that fail are given up', stepWithinMs, async () => {
    const { data } = await get(`/v1/webhooks/${stored.made?.warehouse}/deliveries?limit=100`)
    return areGivenUp(data as FailedDelivery[], Date.now())
  })
}

async function sendTests({ stored, make, get }: Maker): Promise<void> {
  const test = (name: string) =>
    make(`test of ${name}`, `/v1/webhooks/${stored.made?.[name]}/test`, { type: 'sync.completed' })
  const [, waiting] = await Promise.all([test('bookkeeping'), test('warehouse')])
  await waitUntil('its first attempt has failed', stepWithinMs, async () => {
    return (await get(`/v1/deliveries/${waiting}`)).status !== 'pending'
  })
}
