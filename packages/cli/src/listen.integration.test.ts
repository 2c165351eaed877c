// `listen` as a program, against an API that answers as it is told to; with the real one: the journey of the first hour.
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const keyFile = join(tmpdir(), `wds-listen-key-${process.pid}`)
let api: Server
let url = ''
let answer: { status: number; code: string } = { status: 401, code: 'invalid_token' }
beforeAll(async () => {
  api = createServer((_request, response) => {
    const { status, code } = answer
    response.writeHead(status, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ type: 't', title: 't', status, detail: 'Why it is so.', code }))
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const address = api.address()
  if (typeof address === 'object' && address !== null) url = `http://127.0.0.1:${address.port}`
})
afterAll(() => {
  api?.close()
  rmSync(keyFile, { force: true })
})

async function listen(env: NodeJS.ProcessEnv, ...words: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'listen', ...words], {
    env: { ...process.env, WDS_DATA_DIR: join(tmpdir(), 'wds no such folder'), WDS_TOKEN: undefined, ...env },
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  return { code, stdout, stderr }
}

const key = { WDS_TOKEN: 'wdk_live_x' }

test.each<[string, NodeJS.ProcessEnv, string[]]>([
  ['no API key: put it into the variable WDS_TOKEN', {}, []],
  ['the file of --key-file cannot be read', key, ['--key-file', '/no/such']],
  ['--forward-to is an address', key, ['--forward-to', 'localhost:3000']],
  ['--since is an instant', key, ['--since', 'yesterday']],
  ['the file of --secret-file holds no signing secret', key, ['--secret-file', '/dev/null']],
])('%s: exit code 2 with the usage, before anything is asked', async (reason, env, words) => {
  const { code, stdout, stderr } = await listen(env, '--api', 'http://127.0.0.1:1', ...words)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`wds: ${reason}`)
  expect(stderr).toContain('listen [--forward-to')
})

test.each([
  [401, 'invalid_token', 'the API key is refused: it is unknown, revoked or expired'],
  [403, 'insufficient_scope', 'the key lacks the scope webhooks:manage'],
  [409, 'event_expired', 'events are kept for 30 days: begin later, with --since'],
  [400, 'invalid_parameter', 'refused (400): Why it is so.'],
])('%i %s is exit code 1 with one sentence', async (status, code, sentence) => {
  answer = { status, code }
  writeFileSync(keyFile, 'wdk_live_x\n')
  const refused = await listen({}, '--api', `${url}/`, '--key-file', keyFile)
  expect(refused).toEqual({ code: 1, stdout: '', stderr: `wds: ${sentence}\n` })
})

test('an API that is not there is exit code 1', async () => {
  const { code, stderr } = await listen(key, '--api', 'http://127.0.0.1:1')
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^wds: the API does not answer at http:\/\/127\.0\.0\.1:1: no answer \([^\n]*\)\n$/),
  ])
})
