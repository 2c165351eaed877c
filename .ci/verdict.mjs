// What the reports of the test runner come to: which suites run once more, and the last line of the run.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** More than these have one cause, which running them again does not mend. */
const mostAgain = 6

const [command, folder, checks, tests] = process.argv.slice(2)
if (command === 'suites-to-run-again') suitesToRunAgain()
else if (command === 'verdict') verdict()
else throw new Error(`no command ${command}`)

function suitesToRunAgain() {
  const failed = read('first.json')?.testResults.filter(({ status }) => status === 'failed') ?? []
  if (failed.length > 0 && failed.length <= mostAgain) console.log(failed.map(({ name }) => name).join('\n'))
}

/** Its exit status is 0 when nothing failed. A suite that ran again counts as its second run. */
function verdict() {
  const first = read('first.json')
  const second = read('second.json')
  const suites = [
    ...(first?.testResults ?? []).filter(({ name }) => !second?.testResults.some((again) => again.name === name)),
    ...(second?.testResults ?? []),
  ]
  const all = suites.flatMap(({ assertionResults }) => assertionResults)
  const count = (/** @type {string} */ status) => all.filter((one) => one.status === status).length
  const broken = suites.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'))
  const skipped = all.length - count('passed') - count('failed')
  if (skipped > 0) console.log(`skipped tests count as failures here: ${skipped}`)
  const passed = count('passed') + (checks === '0' ? 1 : 0)
  let failed = count('failed') + broken.length + skipped + (checks === '0' ? 0 : 1)
  if (first === undefined) console.log('the test report cannot be read')
  if (failed === 0 && (first === undefined || tests !== '0')) failed = 1
  for (const { name } of second?.testResults ?? []) sayWhatFailedOnce(name, first)
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 && passed > 1 ? 0 : 1)
}

/** A test that passed at its second run only is a defect that the run tells of. */
function sayWhatFailedOnce(suite, first) {
  const { assertionResults, message } = first.testResults.find(({ name }) => name === suite)
  const titles = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
  console.log(`failed in the first run: ${suite}: ${titles.join('; ') || message.split('\n')[0]}`)
}

/** The report, or undefined where the runner wrote none. */
function read(name) {
  const file = join(folder, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
