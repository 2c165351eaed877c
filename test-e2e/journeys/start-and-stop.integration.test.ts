/** What a person meets at the terminal: starts, second starts, starts after a crash, and starts that cannot be. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { clientOf } from '../harness/client.ts'
import {
  eventually,
  makePlace,
  type Place,
  type Standalone,
  startAndFail,
  startStandalone,
} from '../harness/standalone.ts'

jest.setTimeout(90_000)

let place: Place
let running: Standalone | null = null

beforeEach(async () => {
  place = await makePlace()
})
afterEach(async () => {
  await running?.stop()
  running = null
  place.remove()
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('Ctrl-C stops all of it with exit code 0; the second start has the same key and data', async () => {
  running = await startStandalone(place)
  const first = running.at
  expect(await running.stop()).toBe(0)
  await expect(fetch(`${first.base_url}/healthz`)).rejects.toThrow()
  running = await startStandalone(place)
  expect(running.at).toEqual(first)
  const { body } = await clientOf(running.at)(`/v1/integrations/${first.integration_id}`)
  expect(body).toMatchObject({ id: first.integration_id, provider: 'csv_upload' })
  for (const name of ['sample.json', 'operator.json', 'encryption-key', 'database-passwords.json']) {
    expect([name, statSync(join(place.dataDirectory, name)).mode & 0o777]).toEqual([name, 0o600])
  }
})

test('after kill -9 of the supervisor the children end within seconds and the next start works', async () => {
  running = await startStandalone(place)
  const first = running.at
  await running.kill()
  await eventually(
    'the API is gone',
    async () =>
      fetch(`${first.base_url}/healthz`).then(
        () => false,
        () => true,
      ),
    5_000,
  )
  running = await startStandalone(place)
  expect(running.at).toEqual(first)
})

test('--fresh begins anew', async () => {
  running = await startStandalone(place)
  const first = running.at
  await running.stop()
  running = await startStandalone(place, ['--fresh'])
  expect(running.at.workspace_id).not.toBe(first.workspace_id)
  expect(running.at.api_key).not.toBe(first.api_key)
})

test('a port that is taken is one clear sentence, and nothing is left running', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(Number(place.env.WDS_PORT), '127.0.0.1', resolve))
  const { code, stderr } = await startAndFail(place)
  taken.close()
  expect(code).not.toBe(0)
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`port ${place.env.WDS_PORT} is taken`)])
})

test('a data folder that cannot be written is one clear sentence', async () => {
  const file = join(place.dataDirectory, 'a-file')
  writeFileSync(file, '')
  const { code, stderr } = await startAndFail({ ...place, env: { ...place.env, WDS_DATA_DIR: file } })
  expect(code).not.toBe(0)
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('cannot be written')])
})

test('wrong settings are all named at once, without their values', async () => {
  const env = { ...place.env, WDS_PORT: 'banana', WDS_LOG_PARTITIONS: '-7' }
  const { code, stderr } = await startAndFail({ ...place, env })
  expect(code).not.toBe(0)
  expect(stderr).toContain('WDS_PORT')
  expect(stderr).toContain('WDS_LOG_PARTITIONS')
  expect(stderr).not.toContain('banana')
})

test('a Postgres that does not start is one clear sentence, and nothing is left running', async () => {
  running = await startStandalone(place)
  await running.stop()
  running = null
  writeFileSync(join(place.dataDirectory, 'pg', 'PG_VERSION'), '9\n')
  const { code, stderr } = await startAndFail(place)
  expect(code).not.toBe(0)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('a second supervisor on the same data folder is refused and leaves the first one alone', async () => {
  running = await startStandalone(place)
  const other = await makePlace()
  const { code, stderr } = await startAndFail({ ...other, env: { ...other.env, WDS_DATA_DIR: place.dataDirectory } })
  other.remove()
  expect(code).not.toBe(0)
  expect(stderr).toContain('already running')
  expect((await clientOf(running.at)('/v1/workspace')).status).toBe(200)
})

test('kill -9 of Postgres: the services go on once it is back', async () => {
  running = await startStandalone(place)
  const client = clientOf(running.at)
  const pid = Number(readFileSync(join(place.dataDirectory, 'pg/postmaster.pid'), 'utf8').split('\n', 1)[0])
  process.kill(pid, 'SIGKILL')
  await eventually('Postgres is another process', async () => !isAlive(pid), 10_000)
  await eventually('the API serves again', async () => (await client('/v1/workspace')).status === 200, 20_000)
})
