// Who is let in, and with which refusal the others are answered.

import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isInRanges, parseRange } from './address-range.ts'
import { makeApiKey, parseApiKey } from './api-key.ts'
import { createAuthenticator, type LiveKey } from './authenticator.ts'

const key = makeApiKey(randomBytes)
const parsed = parseApiKey(key)
const digest = parsed.ok ? parsed.digest.toString('hex') : ''

function build(over: Partial<LiveKey> = {}, nowMs = 1_000) {
  let lookUps = 0
  const live: LiveKey = {
    client: { workspaceId: 'wsp_1', kind: 'api_key', id: 'key_1', scopes: new Set(['stats:read']) },
    ranges: null,
    endsMs: Number.POSITIVE_INFINITY,
    ...over,
  }
  const authenticator = createAuthenticator({
    findKey: (wanted) => {
      lookUps += 1
      return wanted === digest ? live : undefined
    },
    nowMs: () => nowMs,
  })
  const judge = (authorization: string | undefined, address = '127.0.0.1') => {
    const result = authenticator.authenticate(authorization, address)
    return result.ok ? result.client.id : result.problem
  }
  return { judge, lookUps: () => lookUps }
}

describe('authenticator', () => {
  test('a known key is its client, with workspace and scopes', () => {
    expect(build().judge(`Bearer ${key}`)).toBe('key_1')
  })

  test('B1: no credentials, or another scheme', () => {
    for (const header of [
      undefined,
      '',
      'Basic abc',
      key,
      'Token x',
      `Bearer\t${key}`,
      `Bearer,${key}`,
      'Bearerx y',
      ' ',
    ]) {
      expect(build().judge(header)).toBe('unauthenticated')
    }
  })

  test('B2: an unknown key, a wrong checksum and anything that is no key', () => {
    const { judge, lookUps } = build()
    expect(judge(`Bearer ${makeApiKey(randomBytes)}`)).toBe('invalid_token')
    expect(lookUps()).toBe(1)
    for (const token of [
      `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      key.replace('live', 'test'),
      'eyJhbGciOiJub25lIn0.e30.',
      'x',
    ]) {
      expect(judge(`Bearer ${token}`)).toBe('invalid_token')
    }
    expect(lookUps()).toBe(1)
  })

  test('B2: an ended key, to the millisecond, and a clock that is no number', () => {
    expect(build({ endsMs: 1_001 }).judge(`Bearer ${key}`)).toBe('key_1')
    for (const endsMs of [1_000, 0, Number.NaN]) expect(build({ endsMs }).judge(`Bearer ${key}`)).toBe('invalid_token')
    expect(build({}, Number.NaN).judge(`Bearer ${key}`)).toBe('invalid_token')
  })

  test('B2: a foreign address, and no readable address', () => {
    const ranges = ['10.0.0.0/8'].map(parseRange).filter((range) => range !== null)
    expect(build({ ranges }).judge(`Bearer ${key}`, '10.1.2.3')).toBe('key_1')
    expect(build({ ranges }).judge(`Bearer ${key}`, '::ffff:10.1.2.3')).toBe('key_1')
    for (const address of ['11.0.0.1', '::ffff:11.0.0.1', '', 'x', '::1', '10.1.2.3 ']) {
      expect(build({ ranges }).judge(`Bearer ${key}`, address)).toBe('invalid_token')
    }
    expect(build({ ranges: [] }).judge(`Bearer ${key}`, '10.1.2.3')).toBe('invalid_token')
  })

  test('B4: a malformed header is an invalid request', () => {
    for (const header of [
      'Bearer',
      'Bearer ',
      'bearer   ',
      `Bearer ${key} ${key}`,
      `Bearer ${key},x`,
      `Bearer "${key}"`,
      'Bearer =',
      'Bearer é',
      `Bearer ${key}\n`,
    ]) {
      expect(build().judge(header)).toBe('invalid_request')
    }
  })

  test('B6: the scheme in any case and more than one space are accepted', () => {
    for (const header of [`bearer ${key}`, `BEARER ${key}`, `bEaReR   ${key}`])
      expect(build().judge(header)).toBe('key_1')
  })

  test('no other text is ever let in, and none makes it throw', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string(),
        (header, address) => build().judge(header, address) !== 'key_1',
      ),
    )
    fc.assert(fc.property(fc.string(), (token) => build().judge(`Bearer ${token}`) !== 'key_1'))
  })

  test('XP09: 100,000 hostile characters take little time', () => {
    const start = performance.now()
    for (const piece of [' ', '=', 'a', 'a=', 'Bearer ']) build().judge(`Bearer ${piece.repeat(100_000)}`)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

describe('address ranges', () => {
  const within = (address: string, ...ranges: string[]) =>
    isInRanges(
      address,
      ranges.map(parseRange).filter((range) => range !== null),
    )
  const v4 = (bits: number) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')

  test('an IPv4 address lies in exactly the ranges that share its first bits, mapped or not', () => {
    fc.assert(
      fc.property(
        fc.nat(0xffff_ffff),
        fc.nat(0xffff_ffff),
        fc.integer({ min: 0, max: 32 }),
        (address, network, prefix) => {
          const same = prefix === 0 || address >>> (32 - prefix) === network >>> (32 - prefix)
          for (const spelled of [v4(address), `::ffff:${v4(address)}`, `0:0:0:0:0:FFFF:${v4(address)}`]) {
            expect(within(spelled, `${v4(network)}/${prefix}`)).toBe(same)
            expect(within(spelled, `::ffff:${v4(network)}/${prefix + 96}`)).toBe(same)
          }
        },
      ),
    )
  })

  test('an IPv6 address is judged by its bits, whatever its spelling', () => {
    expect(within('2001:DB8:0:0::1', '2001:db8::/32')).toBe(true)
    expect(within('2001:db9::1', '2001:db8::/32')).toBe(false)
    expect(within('::1', '::1')).toBe(true)
    expect(within('::', '::/0')).toBe(true)
    expect(within('2001:db8::ffff', '2001:db8::/113')).toBe(false)
    expect(within('2001:db8::ffff', '2001:db8::8000/113')).toBe(true)
  })

  test('the families do not meet but through mapped addresses', () => {
    expect(within('10.0.0.1', '::/0')).toBe(false)
    expect(within('2001:db8::1', '0.0.0.0/0')).toBe(false)
  })

  test('what is no range is none, and matches nothing', () => {
    for (const text of [
      '',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0/8',
      '010.0.0.0/8',
      '::/129',
      '::ffff:1.2.3.4/95',
      'fe80::1%eth0/64',
      '1.2.3.4/',
      '1.2.3.4/8/8',
      ' 1.2.3.4',
      'a/8',
    ]) {
      expect(parseRange(text)).toBeNull()
    }
    fc.assert(fc.property(fc.string(), (text) => !within('10.0.0.1', text) || parseRange(text) !== null))
  })
})
