// After a run of all suites it compares the problems they produced with the published table (C14), the metrics they emitted with
// those that the services declare, and the events they announced with the catalog (domain.md 5): a difference fails the run, and the report of the tests is written all the same.

import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { eventTypes } from './packages/contracts/src/event-types.ts'
import { readMetrics } from './packages/docs/src/generate/metrics.ts'
import { judgeCoverage } from './packages/http-service/src/problem-coverage.ts'
import { judgeMetrics } from './packages/telemetry/src/metric-coverage.ts'

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default class CoverageReporter {
  #error

  async onRunComplete(contexts, results) {
    // What failed may not have come to its problems: the run is a failed one without this comparison.
    if (results.numFailedTestSuites > 0 || !isWhole(contexts, results)) return
    const faults = [
      ...told('C14: problems of the table and of the tests differ', judgeCoverage(readNoted('WDS_TEST_PROBLEMS'))),
      ...told('declared metrics and those of the tests differ', await judgeEmitted()),
      ...told('event types that no test announces', typesMissed()),
    ]
    if (faults.length === 0) return
    this.#error = new Error(faults.join(' '))
    process.stderr.write(`${this.#error.message}\n`)
  }

  /** What makes the run a failed one. */
  getLastError() {
    return this.#error
  }
}

/** @param {string} title @param {string[]} faults */
function told(title, faults) {
  return faults.length === 0 ? [] : [`${title}: ${faults.join('; ')}.`]
}

/** Every metric of every metrics.ts against what was emitted, in a suite's process or to its collector. */
async function judgeEmitted() {
  const services = await readMetrics(pathToFileURL(`${import.meta.dirname}/`))
  const declared = new Set(services.flatMap(({ metrics }) => metrics.map(({ name }) => name)))
  return judgeMetrics({ declared, emitted: readNoted('WDS_TEST_METRICS') })
}

/** Every type of the catalog that no suite announced in its own process. */
function typesMissed() {
  const announced = readNoted('WDS_TEST_EVENTS')
  return eventTypes.map(({ type }) => type).filter((type) => !announced.has(type))
}

/** What the suites noted, see test-recorder.mjs. @param {'WDS_TEST_PROBLEMS' | 'WDS_TEST_METRICS' | 'WDS_TEST_EVENTS'} variable */
function readNoted(variable) {
  try {
    return new Set(
      readFileSync(process.env[variable] ?? '', 'utf8')
        .split('\n')
        .filter(Boolean),
    )
  } catch (error) {
    if (error.code === 'ENOENT') return new Set()
    throw error
  }
}

/** Only a run of every suite that is not left to the night, and of every test, says which problem no test produces, however a run was narrowed. */
function isWhole(contexts, { testResults, numPendingTests }) {
  const ran = new Set(testResults.map(({ testFilePath }) => testFilePath))
  const suites = [...contexts].flatMap(({ hasteFS, config }) => {
    const left = config.testPathIgnorePatterns.map((pattern) => new RegExp(pattern))
    return hasteFS.getAllFiles().filter((file) => file.endsWith('.test.ts') && !left.some((one) => one.test(file)))
  })
  return numPendingTests === 0 && suites.every((suite) => ran.has(suite))
}
