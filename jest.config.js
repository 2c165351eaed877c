// One runner for every suite. The suffix says the price: *.test.ts is pure, *.integration.test.ts needs the real Postgres.
import { availableParallelism } from 'node:os'
import { isFullRun, isQuickRun } from './packages/local-infra/src/test-size.ts'
import { nightly } from './test-e2e/faults/rows/slow-suites.ts'

const isFull = isFullRun()

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default {
  testMatch: ['**/src/**/*.test.ts', '**/test-e2e/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.data/', ...(isFull || isQuickRun() ? [] : nightly)],
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: './test-environment.mjs',
  // The slow suites wait more than they compute: two for each core. A product on Kafka takes 1 GiB of memory. The long forms judge times,
  // too, and load what they judge: one for each core, as many at once have made each other late.
  maxWorkers: (isFull ? 1 : 2) * availableParallelism(),
  // A worker ends by itself; on a busy machine that takes longer than the half second that is usual. What is still there then is a leak.
  workerGracefulExitTimeout: 10_000,
  testSequencer: './test-order.mjs',
  // Ends what hangs, on any machine: no test is about time (style.md 28), so none has a limit of its own. By night one waits for 5 minutes, or kills 20 times.
  testTimeout: isFull ? 1_800_000 : 600_000,
  globalSetup: './test-setup.mjs',
  globalTeardown: './test-teardown.mjs',
  reporters: ['default', './test-reporter.mjs'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024', experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
      },
    ],
  },
}
