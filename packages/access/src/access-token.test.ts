// Which access tokens are genuine, and what is asked of auth for them.

import { beforeAll, describe, expect, test } from '@jest/globals'
import type { JWTPayload } from 'jose'
import { createTokenVerifier } from './access-token.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'
import { audience, issuer, makeSigningKey, sign, type TestSigningKey } from './token.fixture.ts'

const nowMs = Date.parse('2026-03-01T12:00:00Z')
let key: TestSigningKey
let stranger: TestSigningKey
let keys: SigningKeys

beforeAll(async () => {
  key = await makeSigningKey('k1')
  stranger = await makeSigningKey('k1')
  keys = createSigningKeys()
  keys.take({ jwk: key.jwk, retired: false })
})

/** Judged anew each time. */
const passes = async (token: string, atMs = nowMs) =>
  (await createTokenVerifier({ issuer, audience, keys }).verify(token, atMs)) !== null
const withClaims = (claims: JWTPayload & Record<string, unknown>) => sign(key, { atMs: nowMs, claims })
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('access token', () => {
  test('a token as auth issues it is its client, in one workspace', async () => {
    const text = await withClaims({ scope: 'stats:read unknown webhooks:manage', jti: 'j1', member_rev: 4 })
    expect(await createTokenVerifier({ issuer, audience, keys }).verify(text, nowMs)).toEqual({
      client: {
        workspaceId: 'wsp_1',
        kind: 'client',
        id: 'cli_1',
        userId: 'usr_1',
        grantId: 'grt_1',
        scopes: new Set(['stats:read', 'webhooks:manage']),
      },
      jti: 'j1',
      memberRev: 4,
      issuedMs: nowMs,
      expiresMs: nowMs + 3_600_000,
    })
  })

  test('B2, XO07: another signature, algorithm or type', async () => {
    const good = await sign(key, { atMs: nowMs })
    const [head = '', body = '', signature = ''] = good.split('.')
    const none = base64({ alg: 'none', typ: 'at+jwt', kid: 'k1' })
    const forged = [
      await sign(stranger, { atMs: nowMs }),
      `${head}.${base64({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), workspace_id: 'wsp_2' })}.${signature}`,
      `${head}.${body}.`,
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      // The public key as a shared secret.
      await sign(key, { atMs: nowMs, header: { alg: 'HS256' } }),
      ...(await Promise.all(
        ['JWT', 'id+jwt', undefined].map((typ) => sign(key, { atMs: nowMs, header: { typ } as object })),
      )),
      ...['', '.', '..', 'a.b.c', `${good}.x`, good.slice(0, -1)],
    ]
    expect(await passes(good)).toBe(true)
    for (const token of forged) expect([token, await passes(token)]).toEqual([token, false])
  })

  test('B2, XO07: nothing in the header chooses another key', async () => {
    const { jwk } = stranger
    for (const header of [
      { jwk },
      { jku: 'http://127.0.0.1:1/jwks' },
      { x5u: 'http://127.0.0.1:1/cert' },
      { kid: '../k1' },
      { kid: 'constructor' },
      { kid: undefined },
      { crit: ['x'], x: 1 },
    ]) {
      expect(await passes(await sign(stranger, { atMs: nowMs, header: header as object }))).toBe(false)
    }
  })

  test('B2, XO07: another issuer or audience, and members that are missing or of another kind', async () => {
    const wrong: (JWTPayload & Record<string, unknown>)[] = [
      ...[{ iss: `${issuer}/` }, { iss: undefined as never }, { aud: `${audience}/` }, { aud: undefined as never }],
      ...['sub', 'client_id', 'workspace_id', 'grant_id', 'jti', 'scope', 'member_rev', 'iat', 'exp'].flatMap(
        (name) => [{ [name]: undefined }, { [name]: { a: 1 } }, { [name]: name === 'member_rev' ? '1' : '' }],
      ),
      { member_rev: 1.5 },
      { sub: 'u'.repeat(201) },
    ]
    for (const claims of wrong) {
      const token = await withClaims(claims).catch(() => null)
      // An empty scope is a token that may do nothing.
      const expected = claims.scope === ''
      if (token !== null) expect([claims, await passes(token)]).toEqual([claims, expected])
    }
  })

  test('B11, XO07: clocks may be apart by 30 s: over, not begun yet, issued in the future', async () => {
    const second = 1_000
    const at = (offsetS: number) => nowMs + offsetS * second
    const over = await sign(key, { atMs: nowMs - 3_600_000 })
    expect([await passes(over, at(29)), await passes(over, at(31))]).toEqual([true, false])
    const early = await sign(key, { atMs: nowMs })
    expect([await passes(early, at(-29)), await passes(early, at(-31))]).toEqual([true, false])
    const notBefore = await withClaims({ nbf: nowMs / second + 60, exp: nowMs / second + 3_600 })
    expect([await passes(notBefore, at(29)), await passes(notBefore, at(31))]).toEqual([false, true])
  })

  test('XO07: a token of more than 4,096 characters is not looked at', async () => {
    const sized = (length: number) => withClaims({ filler: 'x'.repeat(length) })
    const fits = await sized(2_000)
    const large = await sized(4_096)
    expect([fits.length < 4_096, await passes(fits), await passes(large)]).toEqual([true, true, false])
  })

  test('a verified token is not verified again for a minute, nor beyond its end', async () => {
    let asked = 0
    const counting: SigningKeys = { ...keys, find: (kid) => keys.find(kid).finally(() => (asked += 1)) }
    const counted = createTokenVerifier({ issuer, audience, keys: counting })
    const token = await sign(key, { atMs: nowMs })
    for (const atMs of [0, 1, 59_999]) await counted.verify(token, nowMs + atMs)
    expect(asked).toBe(1)
    await counted.verify(token, nowMs + 60_000)
    expect(asked).toBe(2)
    const ending = nowMs + 3_600_000
    for (const offset of [-10_000, -1, 0, 1]) await counted.verify(token, ending + offset)
    expect(asked).toBe(5)
  })
})

describe('signing keys', () => {
  test('B12: old tokens are valid until the key is retired, new ones by the new key', async () => {
    const rotated = createSigningKeys()
    const next = await makeSigningKey('k2')
    const of = createTokenVerifier({ issuer, audience, keys: rotated })
    const [old, fresh] = [await sign(key, { atMs: nowMs }), await sign(next, { atMs: nowMs })]
    rotated.take({ jwk: key.jwk, retired: false })
    rotated.take({ jwk: next.jwk, retired: false })
    expect([await of.verify(old, nowMs), await of.verify(fresh, nowMs)]).not.toContain(null)
    rotated.take({ jwk: key.jwk, retired: true })
    const later = nowMs + 60_000
    expect([await of.verify(old, later), (await of.verify(fresh, later))?.client.id]).toEqual([null, 'cli_1'])
  })

  test('B12: an unknown kid is asked for once a minute, however many tokens name one', async () => {
    let fetched = 0
    let clock = 0
    const published = await makeSigningKey('k9')
    const asking = createSigningKeys({
      monotonicMs: () => clock,
      fetchKeys: async () => {
        fetched += 1
        return [published.jwk]
      },
    })
    const of = createTokenVerifier({ issuer, audience, keys: asking })
    const token = await sign(published, { atMs: nowMs })
    expect((await Promise.all(Array.from({ length: 20 }, () => of.verify(token, nowMs)))).includes(null)).toBe(false)
    const unknown = await sign(await makeSigningKey('k0'), { atMs: nowMs })
    for (clock of [0, 30_000, 59_999]) expect(await of.verify(unknown, nowMs)).toBeNull()
    expect(fetched).toBe(1)
    clock = 60_000
    expect(await of.verify(unknown, nowMs)).toBeNull()
    expect(fetched).toBe(2)
  })

  test('a key that could not be asked for is no refusal, and a retired one is not asked for', async () => {
    let fetched = 0
    const asking = createSigningKeys({
      fetchKeys: async () => {
        fetched += 1
        throw new Error('auth is away')
      },
    })
    asking.take({ jwk: key.jwk, retired: true })
    const of = createTokenVerifier({ issuer, audience, keys: asking })
    expect([await of.verify(await sign(key, { atMs: nowMs }), nowMs), fetched]).toEqual([null, 0])
    const unknown = await sign(await makeSigningKey('k0'), { atMs: nowMs })
    await expect(of.verify(unknown, nowMs)).rejects.toMatchObject({ code: 'keys_unavailable' })
  })

  test('regression: a failure to ask is not kept for a minute: auth is asked again a second later', async () => {
    let [fetched, clock, isAway] = [0, 0, true]
    const published = await makeSigningKey('k9')
    const asking = createSigningKeys({
      monotonicMs: () => clock,
      fetchKeys: async () => {
        fetched += 1
        if (isAway) throw new Error('auth is away')
        return [published.jwk]
      },
    })
    const of = createTokenVerifier({ issuer, audience, keys: asking })
    const token = await sign(published, { atMs: nowMs })
    for (clock of [0, 500, 999]) await expect(of.verify(token, nowMs)).rejects.toThrow()
    expect(fetched).toBe(1)
    isAway = false
    clock = 1_000
    expect([(await of.verify(token, nowMs))?.client.id, fetched]).toEqual(['cli_1', 2])
  })
})
