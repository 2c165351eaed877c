// Metrics that nobody reads cost next to nothing.

import { expect, test } from '@jest/globals'
import { counter, gauge, histogram, isMetering, observe, timed } from './metrics.ts'
import { scrape } from './scrape.ts'

const labels = { outcome: 'How it ended.', 'error.type': 'Fault.' }
const attempts = counter({ name: 'wds_test_attempts_total', unit: '{attempt}', labels, meaning: 'Attempts.' })
const duration = histogram({ name: 'wds_test_seconds', unit: 's', buckets: [1], labels, meaning: 'Time.' })
const age = gauge({ name: 'wds_test_age_seconds', unit: 's', labels: {}, meaning: 'Age.' })

test('without a reader recording does nothing and gauges are never asked', async () => {
  let asked = 0
  const read = () => {
    asked += 1
  }
  const end = observe([age], {
    read,
    onError(error) {
      throw error
    },
  })
  attempts.add(1, { outcome: 'delivered' })
  expect(await timed(duration, {}, async () => 5)).toBe(5)
  expect([isMetering(), scrape(), asked]).toEqual([false, null, 0])
  end()
})
