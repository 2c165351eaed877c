/** What a person meets at the terminal with `--kafka`: the broker's life beside that of the stack. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isAlive } from '@wds/local-infra/process-liveness'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { clientOf, receivedBy, uploadStats } from '../harness/client.ts'
import {
  type Addresses,
  eventually,
  makePlace,
  type Place,
  reasons,
  type Standalone,
  startAndFail,
  startStandalone,
} from '../harness/standalone.ts'

const withJava = (await whyNoOwnBroker()) ? describe.skip : describe

let place: Place
let running: Standalone | null = null

/** The Java process of the stack and its ports, as the supervisor keeps them. */
function broker(): { pid: number; ports: { broker: number } } {
  return JSON.parse(readFileSync(join(place.dataDirectory, 'broker/wds-broker.json'), 'utf8'))
}

const serves = async () => (await clientOf((running as Standalone).at)('/v1/workspace')).status === 200

/** Records that Kafka takes for those of another cluster. */
const damage = () =>
  writeFileSync(
    join(place.dataDirectory, 'broker/records/meta.properties'),
    'version=1\ncluster.id=another\nnode.id=9\n',
  )

// Each test goes on where the one before ended: a start costs a machine as much as all that is judged here.
withJava('npm start -- --kafka', () => {
  /** What the first start printed, and the ports of its broker. */
  let first: Addresses
  let firstPorts: object

  beforeAll(async () => {
    place = await makePlace({}, { kafka: true })
    running = await startStandalone(place)
    first = running.at
    firstPorts = broker().ports
  })
  afterAll(async () => {
    await running?.stop()
    place.remove()
  })

  test('a stop ends the broker; the second start has the same key and ports', async () => {
    const { pid } = broker()
    expect(isAlive(pid)).toBe(true)
    expect(await running?.stop()).toBe(0)
    expect(isAlive(pid)).toBe(false)
    running = await startStandalone(place)
    expect(running.at).toEqual(first)
    expect(broker().ports).toEqual(firstPorts)
    expect(isAlive(broker().pid)).toBe(true)
  })

  test('a broker killed by -9 is started again on its port, and the stack goes on: what is uploaded is told to a subscriber', async () => {
    const { pid, ports } = broker()
    process.kill(pid, 'SIGKILL')
    await eventually('another broker runs', async () => broker().pid !== pid && isAlive(broker().pid))
    expect(broker().ports).toEqual(ports)
    expect(await serves()).toBe(true)

    const client = clientOf(first)
    const json = { url: `${first.receiver_url}/hooks`, events: ['sync.completed'] }
    expect((await client('/v1/webhooks', { json })).status).toBe(201)
    expect((await uploadStats(client, first.integration_id, 'date,clicks\n2026-11-01,7\n')).status).toBe(202)
    const request = await eventually('sync.completed at the receiver', async () =>
      (await receivedBy(first)).find(({ body }) => body.includes(first.integration_id)),
    )
    expect(JSON.parse(request.body)).toMatchObject({ type: 'sync.completed', data: { rows_ingested: 1 } })
  })

  test('kill -9 of the supervisor: the next start adopts the broker; --fresh ends it, whatever its records are, and begins anew', async () => {
    const { pid } = broker()
    await running?.kill()
    expect(isAlive(pid)).toBe(true)
    running = await startStandalone(place)
    expect([running.at, broker().pid]).toEqual([first, pid])
    await running.kill()
    damage()
    running = await startStandalone(place, ['--fresh'])
    expect(isAlive(pid)).toBe(false)
    expect(running.at.workspace_id).not.toBe(first.workspace_id)
    expect(await serves()).toBe(true)
  })

  test('records that Kafka refuses are one clear sentence; nothing is left running', async () => {
    expect(await running?.stop()).toBe(0)
    running = null
    expect(isAlive(broker().pid)).toBe(false)
    damage()
    const { code, stderr } = await startAndFail(place)
    expect(code).not.toBe(0)
    expect(reasons(stderr)).toEqual([expect.stringMatching(/^cannot start: Kafka did not start with the data/)])
    expect(isAlive(broker().pid)).toBe(false)
    expect(existsSync(join(place.dataDirectory, 'pg/postmaster.pid'))).toBe(false)
  })

  test('without Kafka a start uses other data', async () => {
    running = await startStandalone({ ...place, args: [] })
    expect(running.at.workspace_id).not.toBe(first.workspace_id)
  })
})
