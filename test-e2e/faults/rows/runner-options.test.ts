import { expect, test } from '@jest/globals'
import { faultOfRunnerOptions } from './runner-options.ts'

test.each([
  [[]],
  [['--maxWorkers=1', '--bail', '--no-cache']],
  [['--max-workers', '1', '-t', 'F10', '-w=50%']],
  [['--reporters', 'default', './test-reporter.mjs', '--runInBand']],
  [['--testNamePattern=mode=', '--runInBand']],
])('%p: the test runner knows them', (words) => {
  expect(faultOfRunnerOptions(words)).toBeNull()
})

test.each([
  [['--no-such-option'], "Unknown option '--no-such-option'"],
  [['--bail', '--no-such-option'], "Unknown option '--no-such-option'"],
  [['--maxworker=1'], "Unknown option '--maxworker=1'"],
  [['failover'], "Unexpected argument 'failover': an option of the test runner is written as --name or --name=value"],
  [['--maxWorkers', '1', '2'], expect.stringContaining("Unexpected argument '2'")],
  [['--runInBand', 'failover'], expect.stringContaining("Unexpected argument 'failover'")],
  [['--maxWorkers'], "Option '--maxWorkers' lacks its value"],
  [['-w', '--bail'], "Option '-w' lacks its value"],
  [['--bail', '--max-workers='], "Option '--max-workers=' lacks its value"],
  [['--reporters'], "Option '--reporters' lacks its value"],
])('regression: %p are told, where the test runner had passed over them', (words, fault) => {
  expect(faultOfRunnerOptions(words)).toEqual(fault)
})
