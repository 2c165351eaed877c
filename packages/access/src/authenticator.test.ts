// Who is let in, and with which refusal the others are answered.

import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { ServiceError } from '@wds/postgres/transaction'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import fc from 'fast-check'
import type { AccessToken, TokenClient } from './access-token.ts'
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
    tokens: { verify: async () => null },
    denies: () => false,
    nowMs: () => nowMs,
    isConfirmed: () => true,
  })
  const judge = async (authorization: string | undefined, address = '127.0.0.1') => {
    const result = await authenticator.authenticate(authorization, address)
    return result.ok ? result.client.id : result.problem
  }
  return { judge, lookUps: () => lookUps }
}

describe('authenticator', () => {
  test('a known key is its client, with workspace and scopes', async () => {
    expect(await build().judge(`Bearer ${key}`)).toBe('key_1')
  })

  test('B1: no credentials, or another scheme', async () => {
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
      expect(await build().judge(header)).toBe('unauthenticated')
    }
  })

  test('B2: an unknown key, a wrong checksum and anything that is no key', async () => {
    const { judge, lookUps } = build()
    expect(await judge(`Bearer ${makeApiKey(randomBytes)}`)).toBe('invalid_token')
    expect(lookUps()).toBe(1)
    for (const token of [
      `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      key.replace('live', 'test'),
      'eyJhbGciOiJub25lIn0.e30.',
      'x',
    ]) {
      expect(await judge(`Bearer ${token}`)).toBe('invalid_token')
    }
    expect(lookUps()).toBe(1)
  })

  test('B2: an ended key, to the millisecond, and a clock that is no number', async () => {
    expect(await build({ endsMs: 1_001 }).judge(`Bearer ${key}`)).toBe('key_1')
    for (const endsMs of [1_000, 0, Number.NaN])
      expect(await build({ endsMs }).judge(`Bearer ${key}`)).toBe('invalid_token')
    expect(await build({}, Number.NaN).judge(`Bearer ${key}`)).toBe('invalid_token')
  })

  test('B2: a foreign address, and no readable address', async () => {
    const ranges = ['10.0.0.0/8'].map(parseRange).filter((range) => range !== null)
    expect(await build({ ranges }).judge(`Bearer ${key}`, '10.1.2.3')).toBe('key_1')
    expect(await build({ ranges }).judge(`Bearer ${key}`, '::ffff:10.1.2.3')).toBe('key_1')
    for (const address of ['11.0.0.1', '::ffff:11.0.0.1', '', 'x', '::1', '10.1.2.3 ']) {
      expect(await build({ ranges }).judge(`Bearer ${key}`, address)).toBe('invalid_token')
    }
    expect(await build({ ranges: [] }).judge(`Bearer ${key}`, '10.1.2.3')).toBe('invalid_token')
  })

  test('B4: a malformed header is an invalid request', async () => {
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
      expect(await build().judge(header)).toBe('invalid_request')
    }
  })

  test('B6: the scheme in any case and more than one space are accepted', async () => {
    for (const header of [`bearer ${key}`, `BEARER ${key}`, `bEaReR   ${key}`])
      expect(await build().judge(header)).toBe('key_1')
  })

  test('S46: what begins like a key is no token to anybody, and what does not is no key', async () => {
    const asked: string[] = []
    const { authenticate } = createAuthenticator({
      findKey: (wanted) => void asked.push(`key ${wanted}`),
      tokens: {
        verify: async (text) => {
          asked.push(`token ${text}`)
          return null
        },
      },
      denies: () => false,
      nowMs: () => 1_000,
      isConfirmed: () => true,
    })
    const jwt = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'
    for (const text of [`wdk_${jwt}`, `wdk_live_${jwt}`, key, jwt, key.slice(4), `x${key}`, `WDK_${key.slice(4)}`])
      await authenticate(`Bearer ${text}`, '127.0.0.1')
    expect(asked).toEqual([
      ...[`key ${digest}`, `token ${jwt}`, `token ${key.slice(4)}`, `token x${key}`, `token WDK_${key.slice(4)}`],
    ])
  })

  test('no other text is ever let in, and none makes it throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string(),
        async (header, address) => (await build().judge(header, address)) !== 'key_1',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.string(), async (token) => (await build().judge(`Bearer ${token}`)) !== 'key_1'),
    )
  })

  test('XP09: 100,000 hostile characters take little time', async () => {
    await holdsLoopAtMost(500, async () => {
      for (const piece of [' ', '=', 'a', 'a=', 'Bearer ']) await build().judge(`Bearer ${piece.repeat(100_000)}`)
    })
  })
})

describe('5.7: by memory while it is known to be complete, else by auth', () => {
  const live: LiveKey = {
    client: { workspaceId: 'wsp_1', kind: 'api_key', id: 'key_1', scopes: new Set() },
    ranges: null,
    endsMs: Number.POSITIVE_INFINITY,
  }
  const client: TokenClient = { ...live.client, kind: 'client', id: 'cli_1', userId: 'usr_1', grantId: 'grt_1' }
  const token: AccessToken = { client, jti: 'jti', memberRev: 1, issuedMs: 0, expiresMs: 2_000 }
  const names = { memory: 'in memory', auth: 'of auth' }

  /** What memory has of the credential, what auth says of it (`away`: nothing), and the outcome with auth's questions. */
  async function outcome(
    kind: 'key' | 'token',
    o: { memory: 'good' | 'bad' | 'unknown'; auth: boolean | 'away' | null; isConfirmed: boolean },
  ) {
    let asked = 0
    const answer = async <T>(good: T, bad: T): Promise<T> => {
      asked += 1
      if (o.auth === 'away') throw new ServiceError('keys_unavailable', 'away')
      return o.auth === true ? good : bad
    }
    const named = (id: string): LiveKey => ({ ...live, client: { ...live.client, id } })
    const authenticator = createAuthenticator({
      findKey: () => ({ good: named(names.memory), bad: null, unknown: undefined })[o.memory],
      tokens: { verify: async () => (o.memory === 'unknown' ? null : token) },
      denies: () => o.memory === 'bad',
      nowMs: () => 1_000,
      isConfirmed: () => o.isConfirmed,
      auth:
        o.auth === null
          ? undefined
          : {
              findKey: () => answer<LiveKey | null>(named(names.auth), null),
              checkKey: () => answer<LiveKey | null>(named(names.auth), null),
              checkToken: () => answer(true, false),
            },
    })
    const header = `Bearer ${kind === 'key' ? key : 'a.b.c'}`
    const result = await authenticator.authenticate(header, '127.0.0.1').then(
      (judged) => (judged.ok ? judged.client.id : judged.problem),
      (error: ServiceError) => error.code,
    )
    return [result, asked]
  }

  test.each([
    // What auth says counts for nothing, and it is not asked.
    ...([true, false, 'away', null] as const).flatMap((auth) => [
      [true, 'good', auth, [names.memory, 0]] as const,
      [true, 'bad', auth, ['invalid_token', 0]] as const,
    ]),
    [true, 'unknown', true, [names.auth, 1]],
    [true, 'unknown', false, ['invalid_token', 1]],
    [true, 'unknown', 'away', ['keys_unavailable', 1]],
    [true, 'unknown', null, ['invalid_token', 0]],
    [false, 'good', true, [names.auth, 1]],
    [false, 'good', false, ['invalid_token', 1]],
    [false, 'good', 'away', ['access_unconfirmed', 1]],
    [false, 'good', null, ['access_unconfirmed', 0]],
    [false, 'bad', true, ['invalid_token', 0]],
    [false, 'bad', 'away', ['invalid_token', 0]],
    [false, 'unknown', true, [names.auth, 1]],
    [false, 'unknown', false, ['invalid_token', 1]],
    [false, 'unknown', 'away', ['access_unconfirmed', 1]],
    [false, 'unknown', null, ['access_unconfirmed', 0]],
  ] as const)('a key: confirmed %s, %s in memory, auth says %s: %j', async (isConfirmed, memory, auth, wanted) => {
    expect(await outcome('key', { isConfirmed, memory, auth })).toEqual(wanted)
  })

  test.each([
    ...([true, false, 'away', null] as const).map((auth) => [true, 'good', auth, ['cli_1', 0]] as const),
    [true, 'bad', true, ['invalid_token', 0]],
    [false, 'good', true, ['cli_1', 1]],
    [false, 'good', false, ['invalid_token', 1]],
    [false, 'good', 'away', ['access_unconfirmed', 1]],
    [false, 'good', null, ['access_unconfirmed', 0]],
    [false, 'bad', true, ['invalid_token', 0]],
    [false, 'unknown', true, ['invalid_token', 0]],
  ] as const)('a token: confirmed %s, %s in memory, auth says %s: %j', async (isConfirmed, memory, auth, wanted) => {
    expect(await outcome('token', { isConfirmed, memory, auth })).toEqual(wanted)
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
