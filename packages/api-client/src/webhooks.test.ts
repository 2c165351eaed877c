// A webhook is read only where its signature holds.
import { expect, test } from '@jest/globals'
import { signWebhook } from '@wds/webhook-signature/sign'
import { readWebhook } from './webhooks.ts'

const [secret, older] = ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX', 'whsec_BBECAwQFBgcICQoLDA0ODxAREhMUFRYX']
const event = {
  id: 'evt_1',
  type: 'sync.completed',
  created: '2026-11-01T00:00:00.000Z',
  data: { status: 'succeeded' },
}
const body = new TextEncoder().encode(JSON.stringify(event))
const timestamp = 1_735_689_600
const header = signWebhook({ secrets: [secret], id: event.id, timestamp, body })['x-service-signature']

test('a genuine one is its event, with one of several secrets', () => {
  for (const one of [secret, [older, secret]])
    expect(readWebhook({ secret: one, header, body, nowSeconds: timestamp })).toEqual({ ok: true, event })
})

test('any other is refused with the reason, and its body is not read', () => {
  const altered = new TextEncoder().encode('{"not":')
  expect(readWebhook({ secret, header, body: altered, nowSeconds: timestamp })).toEqual({
    ok: false,
    reason: 'no_match',
  })
  expect(readWebhook({ secret: older, header, body, nowSeconds: timestamp })).toEqual({ ok: false, reason: 'no_match' })
  expect(readWebhook({ secret, header: null, body })).toEqual({ ok: false, reason: 'missing' })
  // Long ago by the clock of this machine.
  expect(readWebhook({ secret, header, body })).toEqual({ ok: false, reason: 'timestamp_off' })
})

test('its type tells what its data is', () => {
  const received = readWebhook({ secret, header, body, nowSeconds: timestamp })
  if (!received.ok || received.event.type !== 'sync.completed') throw new Error('not read')
  received.event.data.status satisfies string
  // @ts-expect-error: no such member of this type
  expect(received.event.data.colour).toBeUndefined()
})
