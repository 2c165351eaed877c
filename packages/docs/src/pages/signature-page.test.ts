// The worked example of the reference `signature.md`, computed again from its secret, body and time alone.
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { verifyWebhook } from '@wds/webhook-signature/verify'
import { differenceOf } from './compare-output.ts'
import { readPage } from './read-page.ts'

const page = readFileSync(join(import.meta.dirname, '../../reference/signature.md'), 'utf8')
const shown = Object.fromEntries(
  [...page.matchAll(/^```text value=(\w+)\n(.*)\n```$/gm)].map(([, name = '', value = '']) => [name, value]),
)
const { secret = '', body = '', t = '' } = shown

test('its signed bytes, hex and header follow from secret, body and time', () => {
  const signed = `${t}.${body}`
  const hex = createHmac('sha256', secret).update(signed).digest('hex')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', key).update(`evt_01K0.${t}.${body}`).digest('base64')
  const header = `t=${t},v1=${hex}`
  expect(shown).toEqual({ secret, body, t, signed, hex, header, standard: `v1,${standard}` })
  expect(page).toContain(`${Buffer.byteLength(body)} bytes`)
  expect(new Date(Number(t) * 1_000).toISOString()).toBe('2025-01-01T00:00:00.000Z')
})

test('the verifier takes it', () => {
  const request = { secret, header: shown.header, body: Buffer.from(body), nowSeconds: Number(t) }
  expect(verifyWebhook(request)).toMatchObject({ ok: true })
})

test('its shell command prints the same', () => {
  const [command, output] = readPage(page)
  if (command?.kind !== 'run' || output?.kind !== 'see') throw new Error('the page has a command and its output')
  const { stdout, stderr } = spawnSync('sh', ['-c', command.commands], { encoding: 'utf8' })
  expect([stderr, differenceOf(output.text, stdout)]).toEqual(['', null])
  expect(stdout.trim()).toBe(shown.hex)
})
