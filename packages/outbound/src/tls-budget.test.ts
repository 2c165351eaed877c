import { expect, test } from '@jest/globals'
import { createTlsBudget } from './tls-budget.ts'

function budgetAt() {
  const clock = { ms: 0 }
  return { clock, budget: createTlsBudget(() => clock.ms) }
}

test('handshakes of a workspace that come to nothing take 5 % of the time, however many there are', () => {
  const { clock, budget } = budgetAt()
  let computedMs = 0
  for (; clock.ms < 60_000; clock.ms += 10) {
    if (budget.waitMs('wsp_1') > 0) continue
    budget.spend('wsp_1', 110)
    computedMs += 110
  }
  expect(computedMs).toBeLessThanOrEqual(100 + 110 + 60_000 * 0.05)
  expect(budget.waitMs('wsp_2')).toBe(0)
})

test('those that succeed, and cheap ones now and then, never wait', () => {
  const { clock, budget } = budgetAt()
  for (let nth = 0; nth < 1_000; nth += 1) {
    budget.spend('wsp_1', 3)
    budget.spend('wsp_1', -3)
    expect(budget.waitMs('wsp_1')).toBe(0)
  }
  for (; clock.ms < 60_000; clock.ms += 100) {
    budget.spend('wsp_2', 4)
    expect(budget.waitMs('wsp_2')).toBe(0)
  }
})
