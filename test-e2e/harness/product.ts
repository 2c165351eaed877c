/** The whole product in either shape, with the sample data that the standalone makes: what a journey needs and no more. */
import { type FakeReceiver, startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { isFullRun } from '@wds/local-infra/test-size'
import { serviceNames } from '@wds/provision/provision'
import { clientOf } from './client.ts'
import { startEdge } from './edge.ts'
import { startStack, whenKeyIsKnown } from './stack.ts'
import { type Addresses, eventually, makePlace, startStandalone } from './standalone.ts'
import { createUndo } from './undo.ts'

export interface Shape {
  /** `standalone`: the program behind `npm start`; `processes`: each service by itself, two of each, behind an edge. */
  processes: boolean
  /** Else the log is in Postgres. */
  kafka: boolean
}

/**
 * Journeys run on these: services as processes on Kafka; with WDS_FAULTS=full the standalone as well, on both logs. In each run the README's
 * journey and the commands of the pages go the same way on the standalone. Where no Kafka can be had, on the standalone (`KAFKA_TESTS`).
 */
export async function shapesHere(): Promise<[name: string, shape: Shape][]> {
  const onPostgres: [string, Shape] = ['the standalone, log in Postgres', { processes: false, kafka: false }]
  if ((await whyNoOwnBroker()) !== null) return [onPostgres]
  const all: [string, Shape][] = [['services as processes on Kafka', { processes: true, kafka: true }]]
  if (isFullRun()) all.push(onPostgres, ['the standalone on Kafka', { processes: false, kafka: true }])
  return all
}

export interface Product {
  at: Addresses
  /** By which the operator's command finds it. */
  env: Record<string, string>
  stop(): Promise<void>
}

const scopes = [
  'integrations:read',
  'integrations:write',
  'stats:read',
  'campaigns:read',
  'campaigns:write',
  'invoices:read',
  'invoices:write',
  'webhooks:manage',
]

/** @throws Error when a part does not start; nothing is left running then. */
export async function startProduct(shape: Shape, env: Record<string, string> = {}): Promise<Product> {
  return shape.processes ? startProcesses(shape, env) : startOnOneMachine(shape, env)
}

async function startOnOneMachine({ kafka }: Shape, env: Record<string, string>): Promise<Product> {
  const place = await makePlace(env, { kafka })
  try {
    const standalone = await startStandalone(place)
    // The first sync of the sample tells of itself as those of a journey do: it is over before one begins.
    const client = clientOf(standalone.at)
    await eventually('the sample has synced', async () => {
      const { body } = await client('/v1/events?type=sync.completed&limit=1')
      return body.data.length > 0
    })
    return {
      at: standalone.at,
      env: standalone.env,
      stop: async () => {
        await standalone.stop()
        place.remove()
      },
    }
  } catch (error) {
    place.remove()
    throw error
  }
}

async function startProcesses({ kafka }: Shape, env: Record<string, string>): Promise<Product> {
  const { undo, stop } = createUndo()
  try {
    const edge = await startEdge()
    undo.push(() => edge.close())
    const stack = await startStack({ kafka, env: { ...env, WDS_BASE_URL: edge.url, WDS_AUTH_URL: edge.url } })
    undo.push(() => stack.stop())
    const receiver: FakeReceiver = await startFakeReceiver()
    undo.push(() => receiver.close())
    // Two of each: one in both roles, one that serves only. The others ask the first auth's internal listener; the second has its own.
    const started = await Promise.all(
      serviceNames.flatMap((service) => [
        stack.start(service, { name: `${service}-1` }),
        stack.start(service, { name: `${service}-2`, role: 'http', env: { WDS_INTERNAL_PORT: '0' } }),
      ]),
    )
    await Promise.all(started.map((process) => edge.add(process)))
    const { workspaceId, apiKey } = await stack.makeWorkspace('Sample', scopes)
    for (const { service, url } of started) {
      const path = { auth: '/v1/workspace', api: '/v1/integrations', delivery: '/v1/webhooks', catalog: null }[service]
      if (path !== null) await whenKeyIsKnown(`${url}${path}`, apiKey)
    }
    const at = {
      base_url: edge.url,
      auth_url: edge.url,
      api_key: apiKey,
      workspace_id: workspaceId,
      integration_id: '',
      receiver_url: receiver.url,
    }
    const made = await clientOf(at)('/v1/integrations', {
      json: {
        name: 'Sample upload',
        provider: 'csv_upload',
        brand_slug: 'acme-casino',
        currency: 'EUR',
        source_time_zone: 'UTC',
      },
    })
    if (made.status !== 201) throw new Error(`the integration was refused: ${JSON.stringify(made.body)}`)
    const commandEnv = {
      WDS_INTERNAL_URL: stack.operator.url,
      WDS_INTERNAL_TOKEN_FILE: stack.operator.tokenFile,
      WDS_BASE_URL: edge.url,
    }
    return { at: { ...at, integration_id: made.body.id }, env: commandEnv, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
