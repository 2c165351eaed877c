import { expect, test } from '@jest/globals'
import { type TokenHistory, tokenBreachesOf } from './token-checker.ts'

const good: TokenHistory = {
  presentations: [
    { secret: 'a', outcome: 'unknown' },
    { secret: 'a', outcome: 'worked' },
    { secret: 'b', outcome: 'unknown' },
    { secret: 'b', outcome: 'refused' },
  ],
  unused: new Map([
    ['grant of a', 1],
    ['grant of b', 0],
  ]),
  replays: [{ secret: 'a', outcome: 'refused' }],
  leftAfterReplays: 0,
  // As late as each may be taken, and refusals at any time.
  accesses: [
    { token: 'x', atMs: 130_000, expiresMs: 100_000, isAccepted: true },
    { token: 'x', atMs: 130_001, expiresMs: 100_000, isAccepted: false },
    { token: 'y', atMs: 70_000, expiresMs: 900_000, revokedMs: 10_000, isAccepted: true },
    { token: 'y', atMs: 11_000, expiresMs: 900_000, revokedMs: 10_000, isAccepted: false },
  ],
}

test('the checker of tokens finds nothing in a good history, with lost answers as they may be', () => {
  expect(tokenBreachesOf(good)).toEqual([])
})

test.each<[string, Partial<TokenHistory>, string]>([
  [
    'a second redemption',
    { presentations: [...good.presentations, { secret: 'a', outcome: 'worked' }] },
    'I19: a worked twice',
  ],
  ['a family of two branches', { unused: new Map([['grant of a', 2]]) }, 'I19: grant of a has 2 live tokens'],
  ['a replay that is taken', { replays: [{ secret: 'a', outcome: 'worked' }] }, 'I19: a again: worked'],
  ['a replay that nobody answered', { replays: [{ secret: 'a', outcome: 'unknown' }] }, 'I19: a again: unknown'],
  ['a family that outlives its reuse', { leftAfterReplays: 2 }, 'I19: 2 rows of families that were used twice'],
  [
    'an access beyond expiry and tolerance',
    { accesses: [{ token: 'x', atMs: 130_001, expiresMs: 100_000, isAccepted: true }] },
    'I19: x opened 30001 ms after its expiry',
  ],
  [
    'an access a minute after the revocation',
    { accesses: [{ token: 'y', atMs: 70_001, expiresMs: 900_000, revokedMs: 10_000, isAccepted: true }] },
    'I19: y opened 60001 ms after its revocation',
  ],
  [
    'another refusal',
    { presentations: [...good.presentations, { secret: 'c', outcome: 'other' }] },
    'c was neither taken nor refused',
  ],
])('I19: the checker of tokens names %s', (_, damage, sentence) => {
  expect(tokenBreachesOf({ ...good, ...damage })).toEqual([sentence])
})
