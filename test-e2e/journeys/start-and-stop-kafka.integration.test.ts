/** What a person meets at the terminal with `--kafka`: the broker's life beside that of the stack. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { clientOf } from '../harness/client.ts'
import {
  eventually,
  makePlace,
  type Place,
  reasons,
  type Standalone,
  startAndFail,
  startStandalone,
} from '../harness/standalone.ts'

jest.setTimeout(180_000)

const withJava = (await whyNoOwnBroker()) ? describe.skip : describe

let place: Place
let running: Standalone | null = null

beforeEach(async () => {
  place = await makePlace({}, { kafka: true })
})
afterEach(async () => {
  await running?.stop()
  running = null
  place.remove()
})

/** The Java process of the stack and its ports, as the supervisor keeps them. */
function broker(): { pid: number; ports: { broker: number } } {
  return JSON.parse(readFileSync(join(place.dataDirectory, 'broker/wds-broker.json'), 'utf8'))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const serves = async () => (await clientOf((running as Standalone).at)('/v1/workspace')).status === 200

withJava('npm start -- --kafka', () => {
  test('the stack runs beside a broker that ends with it; the second start has the same key; data without Kafka are others', async () => {
    running = await startStandalone(place)
    const first = running.at
    const { pid, ports } = broker()
    expect(isAlive(pid)).toBe(true)
    expect(await running.stop()).toBe(0)
    expect(isAlive(pid)).toBe(false)
    running = await startStandalone(place)
    expect(running.at).toEqual(first)
    expect(broker().ports).toEqual(ports)
    await running.stop()
    running = await startStandalone({ ...place, args: [] })
    expect(running.at.workspace_id).not.toBe(first.workspace_id)
  })

  test('kill -9 of the broker: it is started again on its port, and the stack goes on', async () => {
    running = await startStandalone(place)
    const { pid, ports } = broker()
    process.kill(pid, 'SIGKILL')
    await eventually('another broker runs', async () => broker().pid !== pid && isAlive(broker().pid), 60_000)
    expect(broker().ports).toEqual(ports)
    expect(await serves()).toBe(true)
    expect(await running.stop()).toBe(0)
    expect(isAlive(broker().pid)).toBe(false)
  })

  test('kill -9 of the supervisor: the next start adopts the broker, --fresh ends it and begins anew', async () => {
    running = await startStandalone(place)
    const first = running.at
    const { pid } = broker()
    await running.kill()
    expect(isAlive(pid)).toBe(true)
    running = await startStandalone(place)
    expect([running.at, broker().pid]).toEqual([first, pid])
    await running.kill()
    rmSync(join(place.dataDirectory, 'broker/records/meta.properties'))
    running = await startStandalone(place, ['--fresh'])
    expect(isAlive(pid)).toBe(false)
    expect(running.at.workspace_id).not.toBe(first.workspace_id)
  })

  test('records that Kafka refuses are one clear sentence; nothing is left running; --fresh begins anew', async () => {
    running = await startStandalone(place)
    await running.stop()
    running = null
    writeFileSync(
      join(place.dataDirectory, 'broker/records/meta.properties'),
      'version=1\ncluster.id=another\nnode.id=9\n',
    )
    const { code, stderr } = await startAndFail(place)
    expect(code).not.toBe(0)
    expect(reasons(stderr)).toEqual([expect.stringMatching(/^cannot start: Kafka did not start with the data/)])
    expect(isAlive(broker().pid)).toBe(false)
    expect(existsSync(join(place.dataDirectory, 'pg/postmaster.pid'))).toBe(false)
    running = await startStandalone(place, ['--fresh'])
    expect(await serves()).toBe(true)
  })
})
