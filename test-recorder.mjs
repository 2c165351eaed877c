// Notes which problems a suite produced, for the comparison at the end of the run (C14). It changes nothing of what is tested.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

const file = process.env.WDS_TEST_PROBLEMS
const noted = new Set()

if (file) {
  subscribe('wds.problem', (problem) => {
    const { code } = /** @type {{ code: string }} */ (problem)
    if (noted.has(code)) return
    noted.add(code)
    appendFileSync(file, `${code}\n`)
  })
}
