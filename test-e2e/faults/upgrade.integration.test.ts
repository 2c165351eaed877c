/**
 * F52: the services are upgraded from the version before the newest migration, and stepped back, while requests and deliveries go on: every
 * migration is applied under load, old and new processes serve beside each other, no request is answered with a fault.
 */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type FakeReceiver, startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { serviceNames } from '@wds/provision/provision'
import { type Client, clientOf } from '../harness/client.ts'
import { type Edge, startEdge } from '../harness/edge.ts'
import { checkOutOldVersion, type OldVersion } from '../harness/old-version.ts'
import { type ServiceProcess, type Stack, startStack, whenKeyIsKnown } from '../harness/stack.ts'
import { eventually } from '../harness/standalone.ts'
import { latencies, report, type Write, writeWhile } from './load.ts'
import { type Ask, openAsk, readFacts } from './read-history.ts'
import { isFull } from './rig.ts'

const togetherMs = isFull ? 60_000 : 5_000
const lockMaxMs = 500
const upgraded = ['catalog', 'api', 'delivery'] as const
const probes = { api: '/v1/integrations', catalog: '/v1/event-types', delivery: '/v1/webhooks' }

let old: OldVersion
let stack: Stack
let edge: Edge
let receiver: FakeReceiver
let apiKey: string
let client: Client
let workspaceId: string
let asking: { ask: Ask; end(): Promise<unknown> }
beforeAll(async () => {
  const found = checkOutOldVersion()
  if (found === null) throw new Error('the history of the repository is needed: git fetch --unshallow')
  old = found
  edge = await startEdge()
  receiver = await startFakeReceiver()
  stack = await startStack({ env: { WDS_BASE_URL: edge.url, WDS_AUTH_URL: edge.url }, sources: old.root })
  asking = openAsk(stack)
  await edge.add(await stack.start('auth', { sources: old.root }))
  ;({ apiKey, workspaceId } = await stack.makeWorkspace('upgraded'))
  client = clientOf({ base_url: edge.url } as never, apiKey)
})
afterAll(async () => {
  edge?.close()
  await asking?.end()
  await stack?.stop()
  await receiver?.close()
  if (old) rmSync(old.root, { recursive: true, force: true })
})

async function start(name: string, sources?: string): Promise<ServiceProcess[]> {
  const started: ServiceProcess[] = []
  for (const service of upgraded) {
    const process = await stack.start(service, {
      name: `${service}-${name}`,
      ...(sources === undefined ? {} : { sources }),
    })
    await whenKeyIsKnown(`${process.url}${probes[service]}`, apiKey)
    await edge.add(process)
    started.push(process)
  }
  return started
}

/** As a platform does it: no further request, those under way are answered, then the end. */
async function retire(processes: ServiceProcess[]): Promise<(number | null)[]> {
  for (const process of processes) edge.remove(process)
  await sleep(1_000)
  return Promise.all(processes.map((process) => process.stop()))
}

/** The longest wait for a lock of a table or row meanwhile, ms; locks that a leader holds for as long as it lives do not count. */
async function longestLockWait(during: () => Promise<void>): Promise<number> {
  const waiting = `select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)), 0) * 1000 as ms
    from pg_locks l where not l.granted and l.locktype <> 'advisory' and l.waitstart is not null`
  let [isOver, longest] = [false, 0]
  const looking = (async () => {
    while (!isOver) {
      const [row] = await asking.ask<{ ms: string }>('api', waiting)
      longest = Math.max(longest, Number(row?.ms))
      await sleep(20)
    }
  })()
  await during().finally(() => {
    isOver = true
  })
  await looking
  return longest
}

test('F52: upgraded under load and stepped back: no fault, no lock above 500 ms, each change delivered', async () => {
  const before = await start('old', old.root)
  const hook = { url: `${receiver.url}/hook`, events: ['integration.updated'] }
  expect((await client('/v1/webhooks', { json: hook })).status).toBe(201)
  const integrations: string[] = []
  for (let nth = 0; nth < 4; nth += 1) {
    const json = { name: `writer ${nth}`, provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
    integrations.push((await client('/v1/integrations', { json })).body.id)
  }
  const reads: number[] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      for (const path of [...Object.values(probes), '/v1/settings', '/v1/sync-runs'])
        reads.push((await client(path).catch(() => ({ status: 0 }))).status)
      await sleep(100)
    }
  })()
  const applied: string[] = []
  let lockMs = 0
  const codes: (number | null)[] = []
  const writes: Write[] = await writeWhile(client, {
    integrations,
    paceMs: 100,
    during: async () => {
      lockMs = await longestLockWait(async () => {
        for (const service of serviceNames) {
          const { code, output } = await stack.run(service, ['migrate'], {
            WDS_OWNER_DATABASE_URL: stack.urls[service].owner,
          })
          if (code !== 0) throw new Error(output)
          applied.push(...output.split('\n').filter((line) => line.endsWith('.sql')))
        }
        const after = await start('new')
        await sleep(togetherMs)
        codes.push(...(await retire(before)))
        await sleep(1_000)
        // The way back: the old program on the new schema.
        const again = await start('old-again', old.root)
        codes.push(...(await retire(after)))
        await sleep(1_000)
        expect(again.length).toBe(upgraded.length)
      })
    },
  }).finally(() => {
    isOver = true
  })
  await reading
  report(
    `F52: from ${old.commit.slice(0, 10)}, applied under load: ${applied.join(', ')}; longest wait for a lock ${lockMs.toFixed(0)} ms; ` +
      `changes: ${latencies(writes)}`,
  )
  expect(applied.length).toBeGreaterThan(0)
  expect(writes.filter(({ status }) => status !== 200)).toEqual([])
  expect(reads.filter((status) => status !== 200)).toEqual([])
  expect(codes).toEqual(codes.map(() => 0))
  expect(lockMs).toBeLessThan(lockMaxMs)

  const facts = [...(await readFacts(asking.ask, workspaceId)).values()].flat()
  expect(facts.length).toBe(writes.length)
  const arrived = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  await eventually('every change at the receiver', async () => arrived().size >= facts.length)
  expect(receiver.received.length).toBe(facts.length)
})
