import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type CampaignSums, type Carried, type DrawnLine, drawLines } from './draw-lines.ts'

const spring: CampaignSums = {
  campaignId: 'cmp_1',
  name: 'Spring',
  qualifiedFtds: null,
  cpa: 0n,
  revshare: 0n,
  other: 0n,
  negativeCarryover: false,
}
const draw = (o: { campaigns?: CampaignSums[]; carried?: Carried[] }) =>
  drawLines({ campaigns: [], carried: [], corrections: [], revision: 1, ...o })
const shown = (lines: DrawnLine[]) => lines.map(({ kind, amount }) => [kind, amount])
const total = (lines: DrawnLine[]) => lines.reduce((sum, { amount }) => sum + amount, 0n)

describe('lines of a campaign', () => {
  test('there is one for each kind of commission, with the number of players', () => {
    const lines = draw({ campaigns: [{ ...spring, qualifiedFtds: 3n, cpa: 36_000n, revshare: 500n, other: -20n }] })
    expect(shown(lines)).toEqual([
      ['cpa', 36_000n],
      ['revshare', 500n],
      ['flat', -20n],
    ])
    expect(lines[0]).toMatchObject({ quantity: 3n, unit_amount: 12_000n, campaign_id: 'cmp_1', stats_revision: 1 })
  })

  test('the price of one is told only where it is exact', () => {
    const [line] = draw({ campaigns: [{ ...spring, qualifiedFtds: 3n, cpa: 100n }] })
    expect([line?.quantity, line?.unit_amount, line?.amount]).toEqual([3n, null, 100n])
  })

  test('a negative revenue share that is not carried over is brought to 0, and said so', () => {
    const lines = draw({ campaigns: [{ ...spring, revshare: -700n, cpa: 100n, qualifiedFtds: 1n }] })
    expect(shown(lines)).toEqual([
      ['cpa', 100n],
      ['revshare', -700n],
      ['adjustment', 700n],
    ])
  })

  test('one that is carried over is taken back by the next invoice, and carried on while it is not covered', () => {
    const carrying = { ...spring, negativeCarryover: true }
    const first = draw({ campaigns: [{ ...carrying, revshare: -700n }] })
    expect(shown(first)).toEqual([
      ['revshare', -700n],
      ['carryover', 700n],
    ])
    const carried = (amount: bigint) => [{ campaignId: 'cmp_1', name: 'Spring', amount, negativeCarryover: true }]
    const second = draw({ campaigns: [{ ...carrying, revshare: 300n }], carried: carried(700n) })
    expect(shown(second)).toEqual([
      ['revshare', 300n],
      ['carryover', -700n],
      ['carryover', 400n],
    ])
    expect(shown(draw({ campaigns: [{ ...carrying, revshare: 900n }], carried: carried(400n) }))).toEqual([
      ['revshare', 900n],
      ['carryover', -400n],
    ])
    // Also of a campaign without numbers.
    expect(shown(draw({ carried: carried(400n) }))).toEqual([
      ['carryover', -400n],
      ['carryover', 400n],
    ])
  })

  test('regression: a month that is billed again after it was void takes in once what a later invoice took back of it', () => {
    // January carried 700 over, February took it back, January was made void.
    const carried = [{ campaignId: 'cmp_1', name: 'Spring', amount: -700n, negativeCarryover: true }]
    const again = (negativeCarryover: boolean, revshare: bigint) =>
      shown(draw({ campaigns: [{ ...spring, negativeCarryover, revshare }], carried }))
    for (const negativeCarryover of [true, false])
      expect(again(negativeCarryover, -700n)).toEqual([
        ['revshare', -700n],
        ['carryover', 700n],
      ])
    expect(again(false, -800n)).toEqual([
      ['revshare', -800n],
      ['carryover', 700n],
      ['adjustment', 100n],
    ])
    expect(again(true, -200n)).toEqual([
      ['revshare', -200n],
      ['carryover', 700n],
    ])
  })

  test('over any months nothing is lost by carrying: what was invoiced and what is still carried is what was earned', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(-1_000n, 1_000n), { minLength: 1, maxLength: 24 }), (months) => {
        let open = 0n
        let invoiced = 0n
        for (const revshare of months) {
          const carried =
            open === 0n ? [] : [{ campaignId: 'cmp_1', name: 'Spring', amount: open, negativeCarryover: true }]
          const lines = draw({ campaigns: [{ ...spring, negativeCarryover: true, revshare }], carried })
          expect(total(lines) >= 0n).toBe(true)
          invoiced += total(lines)
          open += lines.filter(({ kind }) => kind === 'carryover').reduce((sum, { amount }) => sum + amount, 0n)
        }
        expect(invoiced - open).toBe(months.reduce((sum, one) => sum + one, 0n))
      }),
    )
  })
})

test('a campaign of which nothing is owed has no line; a correction has one, of its day and revision; regression: what was billed before of a day that is billed as a whole is called so', () => {
  const corrections = [
    { day: '2026-10-03', revision: 2, amount: -40n, isOwn: false },
    { day: '2026-10-04', revision: 1, amount: -90n, isOwn: true },
  ]
  const lines = drawLines({ campaigns: [spring], carried: [], corrections, revision: 1 })
  expect(lines).toMatchObject([
    { kind: 'adjustment', description: 'Correction of 2026-10-03', amount: -40n, stats_revision: 2, campaign_id: null },
    {
      kind: 'adjustment',
      description: 'Billed before, 2026-10-04',
      amount: -90n,
      stats_revision: 1,
      campaign_id: null,
    },
  ])
})
