// Whether an engine is there, and what happens where it answers and can start nothing. An engine itself was never at hand.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, jest, test } from '@jest/globals'
import { dockerAnswers, inContainer } from './containers.ts'

const { DOCKER_HOST } = process.env
let engine: Server | undefined
afterEach(async () => {
  if (DOCKER_HOST === undefined) delete process.env.DOCKER_HOST
  else process.env.DOCKER_HOST = DOCKER_HOST
  const closed = engine && once(engine, 'close')
  engine?.close()
  engine?.closeAllConnections()
  await closed
  engine = undefined
})

const socketPath = join(tmpdir(), `wds-engine-${process.pid}`)

/** Answers a ping with `status` (null: with nothing at all) and refuses everything else. */
async function startEngine(status: number | null, at: { path: string } | { port: number }): Promise<string[]> {
  const asked: string[] = []
  engine = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url !== '/_ping') response.writeHead(500).end('{"message":"no"}')
    else if (status !== null) response.writeHead(status).end('OK')
  })
  const listening = engine
  await new Promise<void>((resolve) => listening.listen({ host: '127.0.0.1', ...at }, resolve))
  const { port } = (listening.address() ?? {}) as Partial<AddressInfo>
  process.env.DOCKER_HOST = 'path' in at ? `unix://${at.path}` : `tcp://127.0.0.1:${port}`
  return asked
}

test.each([
  ['at a socket', { path: socketPath }],
  ['at a port', { port: 0 }],
])('an engine that answers %s is there', async (_where, at) => {
  await startEngine(200, at)
  expect(await dockerAnswers()).toBe(true)
})

test.each([
  ['answers with a fault', 503],
  ['never answers', null],
])('one that %s is not', async (_how, status) => {
  const asked = await startEngine(status, { path: socketPath })
  expect(await dockerAnswers()).toBe(false)
  expect(asked).toEqual(['/_ping'])
})

test('without an engine nothing is started in a container', async () => {
  process.env.DOCKER_HOST = 'unix:///nonexistent'
  const start = jest.fn(async () => 'started')
  expect(await inContainer('It', start)).toBeNull()
  expect(start).not.toHaveBeenCalled()
})

test('where one answers, what it starts is taken', async () => {
  await startEngine(200, { path: socketPath })
  expect(await inContainer('It', async () => 'started')).toBe('started')
})

// In a process of its own, as the runner's set-up is one: the libraries do not load within a test.
test('an engine that can start nothing is asked, and costs one line', async () => {
  const asked = await startEngine(200, { port: 0 })
  const url = JSON.stringify(new URL('./containers.ts', import.meta.url).href)
  const program = `
    const { inContainer, startPostgresContainer, startKafkaContainer } = await import(${url})
    const started = [await inContainer('Postgres', () => startPostgresContainer({})), await inContainer('Kafka', startKafkaContainer)]
    process.stdout.write(JSON.stringify(started))`
  const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env },
  })
  expect(ran.stdout).toBe('[null,null]')
  expect(ran.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^Postgres did not start in a container/),
    expect.stringMatching(/^Kafka did not start in a container/),
  ])
  expect(asked.filter((path) => path !== '/_ping')).toHaveLength(2)
})
