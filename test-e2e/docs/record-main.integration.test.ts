/** The program that records what a release answers, called wrongly: it had written `undefined.json` into the recordings. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const program = join(import.meta.dirname, 'record-main.ts')
const recordings = () => readdirSync(join(import.meta.dirname, 'old-clients'))
/** Where nobody listens. */
const nowhere = { BASE: 'http://127.0.0.1:1', KEY: 'wdk_test_x', RECEIVER: 'http://127.0.0.1:1' }

test.each([
  ['without a release', [], nowhere],
  ['with something that is none', ['--help'], nowhere],
  ['without the product that it asks', ['0.2.0'], {}],
])('regression: %s it says what it needs, and writes nothing', async (_, words, variables) => {
  const before = recordings()
  const { BASE, KEY, RECEIVER, ...others } = process.env
  const run = promisify(execFile)(process.execPath, [program, ...words], { env: { ...others, ...variables } })
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('BASE, KEY and RECEIVER') })
  expect(recordings()).toEqual(before)
})
