// Preloaded into the test runner and its workers: notes which problems suites produced, which metrics they emitted and which events they
// announced, for the comparisons at the end of the run (test-reporter.mjs). It changes nothing of what is tested. One for each worker: a
// subscription of each suite would keep all its modules for as long as the worker lives.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

/** @param {string} channel @param {string} variable names the file, once the run is set up @param {string} field */
function note(channel, variable, field) {
  const noted = new Set()
  subscribe(channel, (message) => {
    const file = process.env[variable]
    const word = /** @type {Record<string, string>} */ (message)[field]
    if (!file || noted.has(word)) return
    noted.add(word)
    appendFileSync(file, `${word}\n`)
  })
}

note('wds.problem', 'WDS_TEST_PROBLEMS', 'code')
note('wds.metric', 'WDS_TEST_METRICS', 'name')
note('wds.event', 'WDS_TEST_EVENTS', 'type')
