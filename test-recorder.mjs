// Notes which problems a suite produced, which metrics it emitted and which events it announced, for the comparisons at the end of the run (test-reporter.mjs).
// It changes nothing of what is tested.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

/** @param {string} channel @param {string | undefined} file @param {string} field */
function note(channel, file, field) {
  const noted = new Set()
  if (!file) return
  subscribe(channel, (message) => {
    const word = /** @type {Record<string, string>} */ (message)[field]
    if (noted.has(word)) return
    noted.add(word)
    appendFileSync(file, `${word}\n`)
  })
}

note('wds.problem', process.env.WDS_TEST_PROBLEMS, 'code')
note('wds.metric', process.env.WDS_TEST_METRICS, 'name')
note('wds.event', process.env.WDS_TEST_EVENTS, 'type')
