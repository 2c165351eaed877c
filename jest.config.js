// One runner for every suite. The suffix says the price: *.test.ts is pure, *.integration.test.ts needs the real Postgres.
import { availableParallelism } from 'node:os'

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default {
  testMatch: ['**/src/**/*.test.ts', '**/test-e2e/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: 'node',
  // Suites wait more than they compute: two at a time also where there are two cores only.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // Above what the slowest test needs on a busy machine: no test is about time.
  testTimeout: 30_000,
  setupFiles: ['./test-recorder.mjs'],
  globalSetup: './test-setup.mjs',
  globalTeardown: './test-teardown.mjs',
  reporters: ['default', './test-reporter.mjs'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } }],
  },
}
