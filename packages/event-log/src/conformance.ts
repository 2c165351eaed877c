// The contract of the event log as tests that every adapter runs (architecture.md 7). It must never know which
// broker is behind the port.
import { afterAll, beforeAll, describe } from '@jest/globals'
import { effectCases } from './conformance-effects.ts'
import { type ConformanceHarness, type ConformanceMember, caseTimeoutMs } from './conformance-harness.ts'
import { readingCases } from './conformance-reading.ts'

/** Runs the suite. `records` is the size of its long test, 100,000 unless told (a million by hand). */
export function runConformanceSuite(o: { name: string; records?: number; setUp(): Promise<ConformanceHarness> }): void {
  describe(`event log: ${o.name}`, () => {
    let harness: ConformanceHarness | undefined
    const members: ConformanceMember[] = []
    beforeAll(async () => {
      harness = await o.setUp()
      members.push(await harness.openMember(), await harness.openMember())
      await members[0]?.log.ensureTopics()
    }, caseTimeoutMs)
    afterAll(() => harness?.close(), caseTimeoutMs)
    const member = (n: number): ConformanceMember => {
      const found = members[n]
      if (!found) throw new Error('the suite was not set up')
      return found
    }
    const run = {
      harness: () => {
        if (!harness) throw new Error('the suite was not set up')
        return harness
      },
      a: () => member(0),
      b: () => member(1),
    }
    readingCases(run, o.records ?? 100_000)
    effectCases(run)
  })
}
