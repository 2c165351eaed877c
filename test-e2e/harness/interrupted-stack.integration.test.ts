// Whoever ends a run amid it finds nothing of it afterwards.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, test } from '@jest/globals'
import { isAlive } from '@wds/local-infra/process-liveness'
import { eventually, exitOf } from './standalone.ts'

const program = `
  const { startStack } = await import(${JSON.stringify(new URL('./stack.ts', import.meta.url).href)})
  const { folder, postgres } = await startStack({ postgresSettings: {} })
  const { readFileSync } = await import('node:fs')
  const [pid] = readFileSync(postgres.dataDirectory + '/postmaster.pid', 'utf8').split('\\n', 1)
  process.stdout.write(JSON.stringify({ folder, pid: Number(pid) }) + '\\n')
  await new Promise((resolve) => setTimeout(resolve, 600_000))`

test('regression: Ctrl-C amid a run leaves no server and no folder of its stack behind', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = exitOf(child)
  try {
    const [line] = await Promise.race([
      new Promise<string[]>((resolve) => createInterface(child.stdout).once('line', (text) => resolve([text]))),
      exited.then((ended) => Promise.reject(new Error(`it ended with ${ended}`))),
    ])
    const { folder, pid } = JSON.parse(line ?? '') as { folder: string; pid: number }
    expect([isAlive(pid), existsSync(folder)]).toEqual([true, true])
    child.kill('SIGINT')
    await exited
    await eventually('nothing is left', async () => !isAlive(pid) && !existsSync(folder))
  } finally {
    child.kill('SIGKILL')
  }
})
