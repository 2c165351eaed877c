// Stops the Postgres and the Kafka of the test run and removes their folders; those that were there before are left
// alone. After a run of all suites it compares the problems they produced with the published table (C14).

import { readFileSync } from 'node:fs'
import { judgeCoverage } from './packages/http-service/src/problem-coverage.ts'

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default async function tearDown(config) {
  await globalThis.wdsTestBroker?.stop()
  await globalThis.wdsTestCluster?.stop()
  const faults = isWholeRun(config) ? judgeCoverage(readProblems()) : []
  if (faults.length > 0) throw new Error(`C14: problems of the table and of the tests differ: ${faults.join('; ')}.`)
}

/** Codes that the suites noted, see test-recorder.mjs. */
function readProblems() {
  try {
    return new Set(readFileSync(process.env.WDS_TEST_PROBLEMS, 'utf8').split('\n').filter(Boolean))
  } catch (error) {
    if (error.code === 'ENOENT') return new Set()
    throw error
  }
}

/** Only a run of every suite and every test says which problem no test produces. */
function isWholeRun(config) {
  const { testPathPatterns, testNamePattern, shard, onlyChanged, onlyFailures, findRelatedTests } = config
  return !(
    testPathPatterns.patterns.length > 0 ||
    testNamePattern ||
    shard ||
    onlyChanged ||
    onlyFailures ||
    findRelatedTests
  )
}
