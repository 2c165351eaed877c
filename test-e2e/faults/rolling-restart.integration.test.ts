/** Each service in turn is replaced, replica by replica, while requests and deliveries go on: no request fails, no event is lost or doubled. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type FakeReceiver, startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { type Client, clientOf } from '../harness/client.ts'
import { type Edge, startEdge } from '../harness/edge.ts'
import { type ServiceProcess, type Stack, startStack, whenKeyIsKnown } from '../harness/stack.ts'
import { eventually } from '../harness/standalone.ts'

jest.setTimeout(240_000)

const services = ['api', 'catalog', 'delivery'] as const
const probes = { api: '/v1/integrations', catalog: '/v1/event-types', delivery: '/v1/webhooks' }
const writers = 4

let stack: Stack
let edge: Edge
let receiver: FakeReceiver
let apiKey: string
let client: Client
const replicas = new Map<string, ServiceProcess[]>()

async function startReplica(service: (typeof services)[number], name: string): Promise<ServiceProcess> {
  const started = await stack.start(service, { name })
  await whenKeyIsKnown(`${started.url}${probes[service]}`, apiKey)
  await edge.add(started)
  return started
}

beforeAll(async () => {
  edge = await startEdge()
  receiver = await startFakeReceiver()
  stack = await startStack({ env: { WDS_BASE_URL: edge.url, WDS_AUTH_URL: edge.url } })
  const auth = await stack.start('auth')
  await edge.add(auth)
  ;({ apiKey } = await stack.makeWorkspace('rolling'))
  for (const service of services) {
    replicas.set(service, [await startReplica(service, `${service}-1`), await startReplica(service, `${service}-2`)])
  }
  client = clientOf({ base_url: edge.url } as never, apiKey)
})
afterAll(async () => {
  edge?.close()
  await stack?.stop()
  await receiver?.close()
})

/** As a platform does it: a new replica takes part first, then the old one gets no more requests, then it is told to end. */
async function replaceAll(): Promise<(number | null)[]> {
  const codes: (number | null)[] = []
  for (const service of services) {
    for (const [nth, old] of (replicas.get(service) ?? []).entries()) {
      await startReplica(service, `${service}-${nth + 1}-new`)
      edge.remove(old)
      // Requests that the edge had sent already find it still listening.
      await sleep(300)
      codes.push(await old.stop())
    }
  }
  return codes
}

test('0 requests fail, each change arrives exactly once', async () => {
  const made = await client('/v1/webhooks', { json: { url: `${receiver.url}/hook`, events: ['integration.updated'] } })
  expect(made.status).toBe(201)
  const ids = await Promise.all(
    Array.from({ length: writers }, async (_, nth) => {
      const body = { name: `writer ${nth}`, provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
      return (await client('/v1/integrations', { json: body })).body.id as string
    }),
  )

  const failed: unknown[] = []
  let changes = 0
  let requests = 0
  const stopping = new AbortController()
  const look = async (path: string, o: object = {}) => {
    const answer = await client(path, o).catch((error: unknown) => ({ status: 0, body: String(error) }))
    requests += 1
    if (answer.status !== 200) failed.push([path, answer.status, answer.body])
  }
  const writing = ids.map(async (id, writer) => {
    for (let nth = 0; !stopping.signal.aborted; nth += 1) {
      await look(`/v1/integrations/${id}`, { method: 'PATCH', json: { name: `writer ${writer}, change ${nth}` } })
      changes += 1
      await look('/v1/event-types')
      await look('/v1/webhooks')
      await sleep(20)
    }
  })
  const codes = await replaceAll()
  stopping.abort()
  await Promise.all(writing)

  expect(failed).toEqual([])
  expect(codes).toEqual([0, 0, 0, 0, 0, 0])
  // Enough of both to mean something.
  expect(changes).toBeGreaterThan(50)
  expect(requests).toBeGreaterThan(150)
  await eventually('every change at the receiver', async () => receiver.received.length >= changes, 30_000)
  const eventIds = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(eventIds).size).toBe(changes)
  expect(eventIds).toHaveLength(changes)
})
