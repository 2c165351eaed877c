// How many sets of labels a scrape keeps apart.
import { expect, test } from '@jest/globals'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { createExemplars } from '../exemplars.ts'
import { ScrapeReader } from './scrape-reader.ts'

test('regression: more than 2,000 sets of labels since the last scrape stay apart, each with its exemplar', async () => {
  const exemplars = createExemplars({ nowMs: () => 0 })
  const reader = new ScrapeReader({ exemplars })
  const provider = new MeterProvider({ readers: [reader] })
  const name = 'wds_test_seconds'
  const made = provider.getMeter('test').createHistogram(name, { advice: { explicitBucketBoundaries: [1] } })
  const sets = 2_500
  for (let nth = 0; nth < sets; nth += 1) {
    const labels = { 'http.response.status_code': 200 + nth }
    made.record(0.5, labels)
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    exemplars.keep({ name, bounds: [1], value: 0.5, labels, traceparent })
  }
  const text = await reader.scrape('openmetrics')
  // What comes beyond the limit has no status, and no alert on statuses sees it.
  expect(text.split('\n').filter((line) => line.includes('overflow'))).toEqual([])
  const buckets = text.split('\n').filter((line) => line.includes('le="1.0"'))
  expect([buckets.length, buckets.filter((line) => line.includes('trace_id')).length]).toEqual([sets, sets])
  await provider.shutdown()
})
