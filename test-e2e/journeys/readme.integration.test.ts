/**
 * What the README tells a new user to paste, pasted: the `export` line that the start printed and the blocks under "Try it", all at once
 * and as they stand, in each shell of this machine.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { eventually, exitOf, launch, makePlace, type Place, root } from '../harness/standalone.ts'

jest.setTimeout(120_000)

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const tryIt = /## Try it\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? ''
const blocks = [...tryIt.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block as string)

let place: Place
let program: ChildProcess
let printed = ''

beforeAll(async () => {
  place = await makePlace()
  program = launch(place, [])
  program.stderr?.resume()
  program.stdout?.on('data', (chunk) => {
    printed += String(chunk)
  })
  await eventually('the start tells what to paste', async () => printed.includes('Ctrl-C'), 60_000)
})
afterAll(async () => {
  program?.kill('SIGTERM')
  if (program) await exitOf(program)
  place?.remove()
})

/** What the shell wrote when all of it was pasted at once. */
async function paste(shell: string, pasted: string): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(shell, ['-s'], { timeout: 60_000 })
  child.stdin.end(pasted)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { stdout, stderr }
}

/** Each value once, in this order. */
const inOrder = (...parts: string[]) => new RegExp(parts.join('[\\s\\S]*'))

const shells = ['bash', 'dash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0)

test.each(shells)('regression: all of "Try it" pasted at once into %s shows what the README says', async (shell) => {
  const exported = /^export BASE=\S+ KEY=\S+ RECEIVER=\S+ INTEGRATION=\S+$/m.exec(printed)?.[0] ?? 'no export line'
  const { stdout, stderr } = await paste(shell, [exported, ...blocks].join('\n'))
  expect(stderr).toBe('')
  const [first, failing, mended] = ['"secret":"whsec_', '"mode":"fail"', '"mode":"ok"']
  expect(stdout).toMatch(inOrder(first, '"object":"import"', 'service-signature', 'sync.completed', '120', failing))
  expect(stdout).toMatch(inOrder(failing, '"object":"import"', '"status":"retry"', mended))
  expect(stdout).toMatch(inOrder(mended, '"status":"replay"', '"status":"delivered"'))
})

test('regression: a workspace is made once every service serves its key', async () => {
  const [command, ...args] = ['npm', 'run', '--silent', 'wds', '--', 'workspaces', 'create', '--name', 'Acme', '--json']
  const made = spawnSync(command, args, { cwd: root, env: { ...process.env, ...place.env }, encoding: 'utf8' })
  expect([made.status, made.stderr]).toEqual([0, ''])
  const headers = { authorization: `Bearer ${JSON.parse(made.stdout).api_key}` }
  const paths = ['/v1/workspace', '/v1/integrations', '/v1/event-types', '/v1/webhooks']
  const asked = paths.map((path) => fetch(`http://127.0.0.1:${place.env.WDS_PORT}${path}`, { headers }))
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('the terminal says what the README says first', () => {
  expect(blocks).toHaveLength(3)
  expect(printed).toContain(blocks[0]?.trim())
})

test('nothing of "Try it" needs more than a shell and curl, or says what an interactive zsh takes for a command', () => {
  for (const block of blocks) {
    expect(block).not.toMatch(/\bjq\b|^\s*#/m)
  }
})
