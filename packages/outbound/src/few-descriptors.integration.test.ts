// A process that may open fewer files than it has kept connections to endpoints (reliability.md F63).
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { closeAll, http } from './loopback-rig.ts'

const openFiles = 120
let ports: number[]
beforeAll(async () => {
  const answering = () => http((_request, response) => response.end())
  ports = await Promise.all(Array.from({ length: 300 }, answering))
})
afterAll(closeAll)

test('regression: kept connections make room for those to other endpoints, where an attempt had been given back without need', async () => {
  const program = [process.execPath, fileURLToPath(new URL('./few-descriptors.fixture.ts', import.meta.url))]
  // Node takes the hard limit for its own.
  const limited = ['-c', 'ulimit -n "$1"; shift; exec "$@"', 'sh', String(openFiles), ...program, ...ports.map(String)]
  const { stdout } = await promisify(execFile)('sh', limited)
  expect(JSON.parse(stdout)).toEqual({ answered: ports.length })
})
