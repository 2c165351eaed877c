// After a run of all suites it compares the problems they produced with the published table (C14): a difference fails the run,
// and the report of the tests is written all the same.

import { readFileSync } from 'node:fs'
import { judgeCoverage } from './packages/http-service/src/problem-coverage.ts'

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default class CoverageReporter {
  #config
  #error

  constructor(config) {
    this.#config = config
  }

  onRunComplete() {
    const faults = isWholeRun(this.#config) ? judgeCoverage(readProblems()) : []
    if (faults.length === 0) return
    this.#error = new Error(`C14: problems of the table and of the tests differ: ${faults.join('; ')}.`)
    process.stderr.write(`${this.#error.message}\n`)
  }

  /** What makes the run a failed one. */
  getLastError() {
    return this.#error
  }
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
