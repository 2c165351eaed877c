// Whoever ends the test runner alone, as a supervisor does, finds none of its workers afterwards, whatever their tests wait for.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { isAlive } from '@wds/local-infra/process-liveness'
import { eventually, exitOf } from './standalone.ts'

const root = join(import.meta.dirname, '../..')
const runner = join(createRequire(join(root, 'package.json')).resolve('jest/package.json'), '../bin/jest.js')

/** Each says by the name of a file which process it is in. */
const hangs = `test('hangs', async () => {
  require('node:fs').writeFileSync(__dirname + '/worker-' + process.pid, '')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
}, 600_000)`

let folder: string
let child: ChildProcess
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds-runner-'))
})
afterEach(() => {
  child?.kill('SIGKILL')
  for (const pid of workers().filter(isAlive)) process.kill(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const workers = () =>
  readdirSync(folder).flatMap((name) => (name.startsWith('worker-') ? [Number(name.slice('worker-'.length))] : []))

test.each(['SIGINT', 'SIGKILL'] as const)('regression: %s of the runner ends its workers, too', async (signal) => {
  for (const name of ['one', 'two']) writeFileSync(join(folder, `${name}.test.js`), hangs)
  const config = { rootDir: folder, testEnvironment: join(root, 'test-environment.mjs'), maxWorkers: 2, transform: {} }
  child = spawn(process.execPath, [runner, '--config', JSON.stringify(config)], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' },
    stdio: 'ignore',
  })
  const exited = exitOf(child)
  await eventually('two workers', async () => workers().length === 2)
  expect(workers().map(isAlive)).toEqual([true, true])
  child.kill(signal)
  await exited
  await eventually('no worker is left', async () => !workers().some(isAlive))
})
