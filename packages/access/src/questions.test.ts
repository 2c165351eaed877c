// What a question to auth costs, and what is answered where it cannot be asked.

import { describe, expect, test } from '@jest/globals'
import type { LiveKey } from './authenticator.ts'
import { createQuestions } from './questions.ts'

const key: LiveKey = {
  client: { workspaceId: 'wsp_1', kind: 'api_key', id: 'key_1', scopes: new Set() },
  ranges: null,
  endsMs: Number.POSITIVE_INFINITY,
}

function build(answer: (digest: string) => Promise<LiveKey | null>) {
  const asked: string[] = []
  const clock = { ms: 0 }
  const questions = createQuestions<string, LiveKey | null>({
    monotonicMs: () => clock.ms,
    rememberMs: (found) => (found === null ? 5_000 : 1_000),
    perSecond: 50,
    ask: (digest) => {
      asked.push(digest)
      return answer(digest)
    },
  })
  const missing = { find: (digest: string) => questions.ask(digest, digest) }
  return { missing, asked, clock }
}

describe('missing keys', () => {
  test('a fresh key is found at the first call, and many at once ask once', async () => {
    const { missing, asked, clock } = build(async () => key)
    expect(await Promise.all(Array.from({ length: 20 }, () => missing.find('a')))).toEqual(Array(20).fill(key))
    expect(asked).toEqual(['a'])
    clock.ms = 999
    await missing.find('a')
    expect(asked).toHaveLength(1)
    // By then the projection has it, or it was revoked.
    clock.ms = 1_000
    await missing.find('a')
    expect(asked).toHaveLength(2)
  })

  test('a key that is not accepted is asked for once in 5 s', async () => {
    const { missing, asked, clock } = build(async () => null)
    for (clock.ms of [0, 1, 4_999]) expect(await missing.find('a')).toBeNull()
    expect(asked).toEqual(['a'])
    clock.ms = 5_000
    await missing.find('a')
    expect(asked).toEqual(['a', 'a'])
  })

  test('above 50 questions a second it is no refusal but unavailable, and the next second answers again', async () => {
    const { missing, asked, clock } = build(async () => null)
    for (let at = 0; at < 50; at += 1) expect(await missing.find(`k${at}`)).toBeNull()
    for (clock.ms of [0, 999]) await expect(missing.find('more')).rejects.toMatchObject({ code: 'keys_unavailable' })
    expect(asked).toHaveLength(50)
    // What was answered needs no question.
    expect(await missing.find('k0')).toBeNull()
    clock.ms = 1_000
    expect(await missing.find('more')).toBeNull()
  })

  test('auth that does not answer is no refusal, and is asked again', async () => {
    const { missing, asked } = build(async () => {
      throw new Error('away')
    })
    for (let at = 0; at < 2; at += 1) {
      await expect(missing.find('a')).rejects.toMatchObject({ code: 'keys_unavailable' })
    }
    expect(asked).toHaveLength(2)
  })
})
