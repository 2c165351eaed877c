/** A supervised program with real processes: what it survives, and what it is told. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Child, startChild } from './child.ts'

let folder: string
let child: Child | null = null
const told: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds child '))
  told.length = 0
})
afterEach(async () => {
  await child?.stop(5_000)
  child = null
  rmSync(folder, { recursive: true })
})

const logFile = () => join(folder, 'logs/program.log')

function start(source: string): Child {
  const script = join(folder, 'program.mjs')
  writeFileSync(script, source)
  child = startChild({ name: 'program', script, env: {}, logFile: logFile(), onExit: (_name, how) => told.push(how) })
  return child
}

async function eventually(holds: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 60_000
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not in time: ${what}; told: ${told.join(', ')}`)
    await sleep(20)
  }
}

const steady = "console.log('started'); process.send({ type: 'ready' }); setInterval(() => undefined, 1_000)"

test('a log that cannot be opened at a restart is told, and the program comes back once it can', async () => {
  const running = start(steady)
  await running.whenReady(20_000)
  const first = running.pid() as number
  rmSync(logFile())
  mkdirSync(logFile())
  process.kill(first, 'SIGKILL')
  await eventually(() => told.length >= 3, 'two restarts failed')
  expect(told.slice(0, 3)).toEqual([
    'signal SIGKILL',
    ...Array(2).fill(expect.stringMatching(/^cannot be started: EISDIR/)),
  ])
  rmSync(logFile(), { recursive: true })
  await eventually(() => running.pid() !== first, 'another process runs')
  await eventually(() => readFileSync(logFile(), 'utf8') === 'started\n', 'it writes its log')
})

test('a log folder that somebody removed is made again', async () => {
  const running = start(steady)
  await running.whenReady(20_000)
  const first = running.pid() as number
  rmSync(join(folder, 'logs'), { recursive: true })
  process.kill(first, 'SIGKILL')
  await eventually(() => running.pid() !== first, 'another process runs')
  expect(told).toEqual(['signal SIGKILL'])
})

test('a first start that fails says why in the words of the program, and is not repeated', async () => {
  const running = start("console.log('starting'); console.error('the port is taken'); process.exit(1)")
  await expect(running.whenReady(20_000)).rejects.toThrow('program did not start (exit code 1): the port is taken')
  expect(told).toEqual([])
})
