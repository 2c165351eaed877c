/** F64 in small: each kind of fault once and some more, one after the other on one stack, on both logs; `npm run faults:many` makes more. */
import { describe, expect, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { report } from '../rig/load.ts'
import type { LogName } from '../rig/rig.ts'
import { runManyFaults } from './many-faults.ts'

const logs: LogName[] = (await whyNoOwnBroker()) === null ? ['Postgres', 'Kafka'] : ['Postgres']
const count = 24

describe('many faults', () => {
  test.each(logs)(
    'F15, F64: 24 faults of a random mix, after each the system works again and nothing is violated; log in %s',
    async (log) => {
      const run = await runManyFaults({
        log,
        seed: 1,
        count,
        checkEvery: 12,
        withinMs: Number.POSITIVE_INFINITY,
        onCheck: ({ made }) => report(`F64 ${log}: ${made.length} faults are checked`),
      })
      expect(run.violations).toEqual([])
      expect([run.made.length, run.checks]).toEqual([count, 2])
      expect(run.writes.acknowledged).toBeGreaterThan(count)
    },
  )
})
