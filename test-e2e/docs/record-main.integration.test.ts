/** The program that records what a release answers, called wrongly. It had written `undefined.json`, and over what is kept of a release. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const program = join(import.meta.dirname, 'record-main.ts')
const recordings = () => readdirSync(join(import.meta.dirname, 'old-clients'))
/** Where nobody listens. */
const nowhere = { BASE: 'http://127.0.0.1:1', KEY: 'wdk_test_x', RECEIVER: 'http://127.0.0.1:1' }

/** As the program is called by hand; `words`: its arguments. */
function record(words: string[], variables: Record<string, string>) {
  const { BASE, KEY, RECEIVER, ...others } = process.env
  return promisify(execFile)(process.execPath, [program, ...words], { env: { ...others, ...variables } })
}

test.each([
  ['without a release', [], nowhere],
  ['with something that is none', ['--help'], nowhere],
  ['without the product that it asks', ['0.2.0'], {}],
])('regression: %s it says what it needs, and writes nothing', async (_, words, variables) => {
  const before = recordings()
  await expect(record(words, variables)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('BASE, KEY and RECEIVER'),
  })
  expect(recordings()).toEqual(before)
})

test('regression: what is kept of a release is not written anew', async () => {
  await expect(record(['0.1.0'], nowhere)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('binds') })
})

test('regression: with a key that is refused it ends at the first answer, where it had waited two minutes for what never came', async () => {
  const asked: string[] = []
  const refusing = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"invalid_credentials"}')
  })
  await once(refusing.listen(0, '127.0.0.1'), 'listening')
  const base = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`
  const before = recordings()
  try {
    await expect(record(['0.2.0'], { ...nowhere, BASE: base })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('GET /v1/workspace: 401, was 200'),
    })
    expect(asked).toEqual(['GET /v1/workspace'])
    expect(recordings()).toEqual(before)
  } finally {
    refusing.close()
    refusing.closeAllConnections()
  }
})
