/**
 * Records what the calls of the newest recording are answered by the product at BASE, as a client of the version that is its argument gets it:
 * `BASE=… KEY=… RECEIVER=… node bootstrap.mjs node test-e2e/docs/record-main.ts 0.2.0`, with the product of that release.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareVersions } from '../releases/releases.ts'
import { type Recorded, sendCalls } from './replay-calls.ts'

const folder = join(import.meta.dirname, 'old-clients')
const [version] = process.argv.slice(2)
const { BASE = '', KEY = '', RECEIVER = '' } = process.env
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version) || [BASE, KEY, RECEIVER].includes(''))
  throw new Error('record-main.ts <release>, with BASE, KEY and RECEIVER of the export line of its start')
const recordings = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))
if (recordings.includes(version)) throw new Error(`${version} is recorded: what its clients got binds, and stays`)
const newest = recordings.toSorted(compareVersions).at(-1)
const calls = JSON.parse(readFileSync(join(folder, `${newest}.json`), 'utf8')) as Recorded[]
// A product that fails is no release: what its clients would be held to is the failure.
const answers = await sendCalls(calls, { BASE, KEY, RECEIVER }, ({ call, answer }, { status }) => {
  if (status !== answer.status) throw new Error(`${call}: ${status}, was ${answer.status}`)
})

/** Of a list its first entry, of a schema nothing, and no secret. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/whsec_\w+/g, 'whsec_shown_once').replaceAll(BASE, 'http://127.0.0.1:8080')
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, one]) => [name, /schema$/.test(name) && one ? {} : shortened(one)])
  return Object.fromEntries(members)
}

const recorded = calls.map((call, nth) => ({
  ...call,
  answer: { status: answers[nth]?.status, body: shortened(answers[nth]?.body) },
}))
writeFileSync(join(folder, `${version}.json`), `${JSON.stringify(recorded, null, 2)}\n`)
