// What signing and verifying guarantee together, and that other implementations agree.

import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { generateSecret, isSecret, signaturesMax } from './secret.ts'
import { signWebhook } from './sign.ts'
import { readVectors } from './vectors.ts'
import { verifyWebhook } from './verify.ts'

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'
const body = Buffer.from('{"id":"evt_01K0","type":"sync.started","created":"2025-01-01T00:00:00Z","data":{}}')
const timestamp = 1_735_689_600
const secrets = fc.uint8Array({ minLength: 24, maxLength: 24 }).map(generateSecret)
const bodies = fc.uint8Array({ maxLength: 300 })
const sign = (over: Partial<Parameters<typeof signWebhook>[0]> = {}) =>
  signWebhook({ secrets: [secret], id: 'evt_01K0', timestamp, body, ...over })
const oneSecret = { secret }
const judge = (over: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
  verifyWebhook({
    ...(over.secrets === undefined ? oneSecret : {}),
    header: sign()['x-service-signature'],
    body,
    nowSeconds: timestamp,
    ...over,
  })

describe('signature', () => {
  test('the worked example of the README', () => {
    expect(sign()).toEqual({
      'x-service-signature': `t=1735689600,v1=6d562ff28345c9027b650e1b44ad4faffbb7d10e73999adefc3be0ad1d292359`,
      'webhook-id': 'evt_01K0',
      'webhook-timestamp': '1735689600',
      'webhook-signature': 'v1,oYpWEwol0LI5grolvNHme/GO/Z3naVb8aVH9tyOr5g0=',
    })
  })

  test('every vector is judged as it says', () => {
    for (const { name, secret: own, header, body: bytes, now, expected } of readVectors()) {
      const result = verifyWebhook({ secret: own, header: header ?? undefined, body: bytes, nowSeconds: now })
      expect([name, result.ok ? 'accepted' : result.reason]).toEqual([name, expected])
    }
  })

  test('the key is the secret as shown, prefix included, over t, a period and the raw body', () => {
    fc.assert(
      fc.property(secrets, bodies, (own, bytes) => {
        const expected = createHmac('sha256', Buffer.from(own, 'utf8'))
          .update(Buffer.concat([Buffer.from('1735689600.'), bytes]))
          .digest('hex')
        expect(sign({ secrets: [own], body: bytes })['x-service-signature']).toBe(`t=1735689600,v1=${expected}`)
      }),
    )
  })

  test('what is signed is accepted with each of its secrets', () => {
    fc.assert(
      fc.property(fc.uniqueArray(secrets, { minLength: 1, maxLength: 8 }), bodies, (live, bytes) => {
        const header = sign({ secrets: live, body: bytes })['x-service-signature']
        for (const one of live) expect(judge({ secret: one, header, body: bytes })).toEqual({ ok: true })
        expect(judge({ secrets: live, header, body: bytes })).toEqual({ ok: true })
      }),
    )
  })

  test('F50: 20 rotations within one overlap give a header that each of the 21 secrets verifies', () => {
    const live = Array.from({ length: 21 }, (_, index) => generateSecret(new Uint8Array(24).fill(index)))
    const header = sign({ secrets: live })['x-service-signature']
    for (const one of live) expect(judge({ secret: one, header })).toEqual({ ok: true })
  })

  test('settled-points.md 12: newest first, one v1 for each live secret', () => {
    const other = generateSecret(new Uint8Array(24))
    const both = sign({ secrets: [other, secret] })
    expect(both['x-service-signature'].split(',').slice(1)).toEqual([
      sign({ secrets: [other] })['x-service-signature'].split(',')[1],
      sign()['x-service-signature'].split(',')[1],
    ])
    expect(both['webhook-signature'].split(' ')).toHaveLength(2)
  })

  test('settled-points.md 13: the Standard Webhooks library accepts every request, with either secret of a rotation', () => {
    fc.assert(
      fc.property(secrets, secrets, fc.json(), (fresh, old, json) => {
        fc.pre(fresh !== old)
        const now = Math.floor(Date.now() / 1_000)
        const headers = { ...sign({ secrets: [fresh, old], timestamp: now, body: Buffer.from(json) }) }
        for (const one of [fresh, old]) expect(new Webhook(one).verify(json, headers)).toEqual(JSON.parse(json))
        expect(() => new Webhook(generateSecret(new Uint8Array(24).fill(7))).verify(json, headers)).toThrow()
      }),
    )
  })

  test('XB01: a changed body, or one parsed and written again, is refused', () => {
    fc.assert(
      fc.property(bodies, bodies, (bytes, other) => {
        fc.pre(Buffer.compare(bytes, other) !== 0)
        const header = sign({ body: bytes })['x-service-signature']
        expect(judge({ header, body: other })).toEqual({ ok: false, reason: 'no_match' })
      }),
    )
    const spaced = Buffer.from('{ "a": 1.0 }')
    const again = Buffer.from(JSON.stringify(JSON.parse(spaced.toString())))
    expect(judge({ header: sign({ body: spaced })['x-service-signature'], body: again }).ok).toBe(false)
  })

  test('XB02: a timestamp is accepted up to 300 s off in either direction, and no further', () => {
    for (const off of [0, 300, -300, 299.9]) expect(judge({ nowSeconds: timestamp + off })).toEqual({ ok: true })
    for (const off of [301, -301, 300.1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(judge({ nowSeconds: timestamp + off })).toEqual({ ok: false, reason: 'timestamp_off' })
    }
    expect(judge({ nowSeconds: timestamp + 301, toleranceSeconds: 302 })).toEqual({ ok: true })
  })

  test('XB02: milliseconds, signs, fractions, exponents, zeroes in front and other digits are refused', () => {
    const v1 = sign()['x-service-signature'].split(',')[1]
    for (const t of [
      '1735689600000',
      '+1735689600',
      '-1',
      '1735689600.0',
      '1.7356896e9',
      '01735689600',
      '0x67748580',
      '',
      ' 1735689600',
      '１７３５６８９６００',
    ]) {
      expect(judge({ header: `t=${t},${v1}` })).toEqual({ ok: false, reason: 'malformed' })
    }
  })

  test('XB03: every other spelling of a good header is refused', () => {
    const good = sign()['x-service-signature']
    const [t = '', v1 = ''] = good.split(',')
    const another = `v1=${'0'.repeat(64)}`
    const spellings = [
      t,
      v1,
      `${v1},${t}`,
      `${t},${t},${v1}`,
      `${t},${v1},${t}`,
      `${t},${v1},${v1}`,
      `${t}, ${v1}`,
      `${t} ,${v1}`,
      ` ${good}`,
      `${good} `,
      `${good}\n`,
      `${good},`,
      `,${good}`,
      `${t},,${v1}`,
      `${t};${v1}`,
      `${t},v1=${v1.slice(3).toUpperCase()}`,
      `T${good.slice(1)}`,
      `${t},V1=${v1.slice(3)}`,
      `${t},v2=${v1.slice(3)}`,
      `${good},v0=1`,
      `${good},v1=`,
      `${t},${v1.slice(0, -1)}`,
      `${t},${v1}0`,
      `${t},v1="${v1.slice(3)}"`,
      `${good}, ${good}`,
    ]
    for (const header of spellings) expect(judge({ header })).toEqual({ ok: false, reason: 'malformed' })
    expect(judge({ header: `${t},${another},${v1}` })).toEqual({ ok: true })
    expect(judge({ header: undefined })).toEqual({ ok: false, reason: 'missing' })
    expect(judge({ header: [good, good] })).toEqual({ ok: false, reason: 'malformed' })
  })

  test('XB03: more than 32 signatures and over-long headers are refused, the good one among them included', async () => {
    const good = sign()['x-service-signature']
    const many = Array.from({ length: signaturesMax }, (_, index) => `v1=${String(index).padStart(64, '0')}`).join(',')
    expect(judge({ header: `${good},${many}` })).toEqual({ ok: false, reason: 'too_many_signatures' })
    await holdsLoopAtMost(500, () => {
      for (const piece of ['v1=', ',', 't=', 'a', `${good},`])
        expect(judge({ header: `${good},${piece.repeat(200_000)}` }).ok).toBe(false)
    })
  })

  test('any other header is refused, whatever it is', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), (header) => !judge({ header }).ok))
    const good = sign()['x-service-signature']
    fc.assert(
      fc.property(
        fc.nat(good.length - 1),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        (at, character) => {
          fc.pre(good[at] !== character)
          expect(judge({ header: good.slice(0, at) + character + good.slice(at + 1) }).ok).toBe(false)
        },
      ),
    )
  })

  test('XB04: a signature made with another secret is refused', () => {
    fc.assert(fc.property(secrets, (own) => own === secret || !judge({ secret: own }).ok))
  })

  test('secrets, ids and timestamps of another form are refused before anything is signed', () => {
    expect(isSecret(secret)).toBe(true)
    for (const own of [[], [''], ['whsec_'], [secret.slice(6)], [`${secret}=`], Array(33).fill(secret)]) {
      expect(() => sign({ secrets: own })).toThrow(RangeError)
      expect(() => verifyWebhook({ secrets: own, header: '', body, nowSeconds: timestamp })).toThrow(RangeError)
    }
    for (const id of ['', 'a b', 'a\r\nx: y', 'a.b']) expect(() => sign({ id })).toThrow(RangeError)
    for (const at of [-1, 1.5, Number.NaN, 1e10]) expect(() => sign({ timestamp: at })).toThrow(RangeError)
    expect(() => generateSecret(new Uint8Array(23))).toThrow(RangeError)
  })
})
