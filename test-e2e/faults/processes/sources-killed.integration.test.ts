/**
 * Of the nightly run, F01, F02: the API is killed amid postbacks and the runs that fold them, amid runs that pull feeds, and amid files of
 * payments and rates: each conversion that was acknowledged is counted, the rows are those of the source, no run is left open, and each
 * effect took place once (I15).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type FakeSource, startFakeSource } from '@wds/fake-source/fake-source'
import { isFullRun } from '@wds/local-infra/test-size'
import { dayFaults } from '../../../services/api/src/stats-days/day-checker.fixture.ts'
import { type Client, clientOf } from '../../harness/client.ts'
import type { ServiceProcess } from '../../harness/service-processes.ts'
import { type Stack, startStack, whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { createUndo } from '../../harness/undo.ts'
import { effectBreachesOf } from '../checkers/effect-checker.ts'
import { type FileType, fileTypes, type KilledFiles, prepareFiles } from './killed-files.ts'
import { connectFeeds, dayOf, readEffects, whenAtRest } from './pulled-feeds.ts'
import { readDays } from './read-days.ts'

const kills = isFullRun() ? 20 : 3
const sendersEach = 4
const networks = 3

const { undo, stop } = createUndo()
let stack: Stack
let api: ServiceProcess
let source: FakeSource
let apiKey: string
let client: Client
beforeAll(async () => {
  source = await startFakeSource({ seed: 10, pageRows: 40 })
  undo.push(() => source.close())
  stack = await startStack({
    env: {
      WDS_SYNC_LEASE: '2s',
      WDS_SYNC_ATTEMPTS: '8',
      WDS_SYNC_RETRY_DELAYS: '200ms,400ms,800ms,1s,1s,1s,1s',
      WDS_STATS_BACKFILL_REST: '1s',
      WDS_STATS_RESTATE_WAIT: '1s',
    },
  })
  undo.push(() => stack.stop())
  await stack.start('auth')
  ;({ apiKey } = await stack.makeWorkspace('Sources'))
  await startApi()
})
afterAll(stop)

async function startApi(): Promise<void> {
  api = await stack.start('api')
  const { url } = api
  client = clientOf({ base_url: url } as Parameters<typeof clientOf>[0], apiKey)
  await whenKeyIsKnown(`${url}/v1/integrations`, apiKey)
}

interface Network {
  id: string
  path: string
  acknowledged: number
  /** Answers that the process did not live to give. */
  lost: number
}

async function connect(nth: number): Promise<Network> {
  const json = { name: `Network ${nth}`, brand_slug: 'acme', provider: 'postback', schedule: null }
  const { status, body } = await client('/v1/integrations', { json })
  expect(status).toBe(201)
  return { id: body.id, path: new URL(body.postback_url).pathname, acknowledged: 0, lost: 0 }
}

/** Twelve senders without one take all of a small machine, and the starts under them wait. */
const pauseMs = 100

/** Sends one conversion after the other, each until it is acknowledged, as a network does. */
async function send(network: Network, sender: number, isOver: () => boolean): Promise<void> {
  for (let nth = 0; !isOver(); nth += 1) {
    const query = new URLSearchParams({ event: 'deposit', tx_id: `${sender}-${nth}`, amount: '1.01' })
    for (let isAcknowledged = false; !isAcknowledged; await sleep(pauseMs)) {
      const answer = await client(`${network.path}?${query}`, { key: null }).catch(() => null)
      isAcknowledged = answer?.status === 200
      if (answer === null) network.lost += 1
      else if (isAcknowledged) network.acknowledged += 1
      else expect([429, 503]).toContain(answer.status)
    }
  }
}

async function syncSoon({ id }: Network): Promise<void> {
  const { status } = await client(`/v1/integrations/${id}/sync-runs`, { json: {} })
  expect([202, 409]).toContain(status)
}

async function statsOf({ id }: Network): Promise<{ deposits?: number; deposits_amount?: number }> {
  const range = `from=${dayOf(Date.now() - 86_400_000)}&to=${dayOf(Date.now())}`
  const { body } = await client(`/v1/stats?${range}&metrics=deposits,deposits_amount&filter[integration]=${id}`)
  return body.data[0] ?? {}
}

/** The bytes of the answer about days that are final. */
async function finalAnswer({ from, to }: { from: string; to: string }): Promise<string> {
  const response = await fetch(`${api.url}/v1/stats?from=${from}&to=${to}&metrics=clicks,ngr&group_by=day`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  return response.text()
}

/** Of each file every line is counted once, and took effect once. */
async function judgeFiles(files: KilledFiles, sent: ReadonlyMap<FileType, string>): Promise<void> {
  expect([...sent.keys()]).toEqual(fileTypes)
  for (const [type, id] of sent) {
    const read = async () => (await client(`/v1/imports/${id}`)).body
    await eventually('the file is read to its end', async () => (await read()).finished !== null)
    const lines = files.lines[type]
    const counts = { status: 'completed', lines, accepted: lines, rejected: 0, unchanged: 0 }
    expect(await read()).toMatchObject({ type, ...counts })
  }
  const { recorded, ...effects } = await files.effects()
  const { invoice_payments: payments, fx_rates: rates } = files.lines
  expect([recorded.length, new Set(recorded).size]).toEqual([payments, payments])
  expect(effects).toEqual({ paid: [payments * 50, payments * 50], rates, sets: 1 })
}

test(`F01, F02, I15, I17, ${kills} kills: what was acknowledged is counted, what a source shows is there, each line of a file of payments and of rates takes effect, each once, every run ends, and days are the sums of their rows`, async () => {
  const all = await Promise.all(Array.from({ length: networks }, (_, nth) => connect(nth)))
  const adminUrl = stack.adminUrls.api
  const feeds = await connectFeeds(source, { client, adminUrl })
  const files = await prepareFiles({ client, adminUrl, brand: 'acme' })
  const sent = new Map<FileType, string>()
  const ids = [...feeds.ids, ...all.map(({ id }) => id)]
  const total = () => all.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  let over = false
  const senders = all.flatMap((network) =>
    Array.from({ length: sendersEach }, (_, sender) => send(network, sender, () => over)),
  )
  try {
    for (let nth = 0; nth < kills; nth += 1) {
      const before = total()
      await eventually('postbacks are acknowledged', async () => total() > before + 100)
      // A run that was cut off is carried on by itself.
      await Promise.all(ids.map((id) => whenAtRest(client, id)))
      const pulling = await feeds.amid(nth % 2 === 0 ? 'applying' : 'reading')
      await feeds.pull(client)
      await pulling.reached
      await Promise.all(all.map(syncSoon))
      const type = fileTypes[nth]
      const reading = type && (await files.amid(type))
      if (type !== undefined) sent.set(type, await files.send(client, type))
      await reading?.reached
      await api.kill()
      await pulling.release()
      await reading?.release()
      await startApi()
    }
  } finally {
    over = true
    await Promise.all(senders)
  }
  expect(all.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(0)
  // What was acknowledged last is stored, too.
  await api.kill()
  await startApi()
  await Promise.all(ids.map((id) => whenAtRest(client, id)))
  await feeds.pull(client)
  await Promise.all(all.map(syncSoon))
  await Promise.all(ids.map((id) => whenAtRest(client, id)))

  const acknowledged = new Map(all.map((network) => [network.id, network.acknowledged]))
  const days = (Date.parse(feeds.window.to) - Date.parse(feeds.window.from)) / 86_400_000 + 1
  const history = await eventually('each day of the feeds was told to be ready', async () => {
    const found = await readEffects(adminUrl)
    const isToldOf = (type: string) => found.told.filter((event) => event.type === type).length
    const ended = found.runs.filter(({ status }) => status !== 'canceled').length
    return isToldOf('stats.daily_ready') >= days && isToldOf('sync.completed') >= ended && found
  })
  expect(effectBreachesOf({ ...history, acknowledged, shown: feeds.shown() })).toEqual([])
  for (const network of all) {
    const { deposits, deposits_amount } = await statsOf(network)
    expect([deposits, deposits_amount]).toEqual([network.acknowledged, network.acknowledged * 101])
  }
  expect(new Set(history.runs.map(({ status }) => status))).toEqual(new Set(['succeeded']))
  await judgeFiles(files, sent)

  const record = await readDays(adminUrl)
  const inWindow = record.days.filter(({ date }) => date >= feeds.window.from && date <= feeds.window.to)
  expect(inWindow.map(({ status }) => status)).toEqual(Array(days).fill('final'))
  expect(dayFaults(record)).toEqual([])
  const told = await finalAnswer(feeds.window)
  expect(JSON.parse(told).meta).toMatchObject({ is_final: true })
  await api.kill()
  await startApi()
  expect(await finalAnswer(feeds.window)).toBe(told)
})
