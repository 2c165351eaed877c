/** What `npm start` and its like are made of: npm, a shell, `bootstrap.mjs`, the program. When the outermost ends, so does the program. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { isAlive } from '@wds/local-infra/process-liveness'
import { eventually, root } from '../harness/standalone.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds npm '))
})
afterEach(() => rmSync(folder, { recursive: true }))

const program = `
process.on('SIGTERM', () => process.exit(0))
setInterval(() => undefined, 1_000)
console.log(JSON.stringify({ bootstrap: process.ppid, program: process.pid }))`

const scripts = { start: `node "${join(root, 'bootstrap.mjs')}" node program.mjs` }

test.each(['SIGTERM', 'SIGKILL'] as const)('regression: %s to npm ends what it started', async (signal) => {
  writeFileSync(join(folder, 'program.mjs'), program)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }))
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const { value: line } = await createInterface({ input: npm.stdout })[Symbol.asyncIterator]().next()
  const pids = JSON.parse(String(line)) as { bootstrap: number; program: number }
  npm.kill(signal)
  await eventually('program and bootstrap have ended', async () => !Object.values(pids).some(isAlive))
  expect(Object.values(pids).map(isAlive)).toEqual([false, false])
})
