import { createRequire } from 'node:module'
import { expect, jest, test } from '@jest/globals'
import { lookWhereRequestsWait } from './request-checks.ts'

const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue')
const silent = { debug: () => undefined, namespace: () => silent }

test('regression: a connection to Kafka on which no request waits has no timer; one that waits is sent when it may', () => {
  lookWhereRequestsWait()
  jest.useFakeTimers()
  try {
    const queue = new RequestQueue({ logger: silent, maxInFlightRequests: null, requestTimeout: 1_000 })
    // As with every answer that comes.
    queue.checkPendingRequests()
    expect(jest.getTimerCount()).toBe(0)
    queue.maybeThrottle(60_000)
    let sent = 0
    queue.push({ entry: { correlationId: 1 }, expectResponse: true, sendRequest: () => (sent += 1) })
    jest.advanceTimersByTime(59_999)
    expect(sent).toBe(0)
    jest.advanceTimersByTime(1)
    expect([sent, jest.getTimerCount()]).toEqual([1, 0])
  } finally {
    jest.useRealTimers()
  }
})
