// Writes event-data.ts; with `--check` it only compares and exits 1 when the file differs. Nothing else is written.
import { readFile, writeFile } from 'node:fs/promises'
import { eventDataSource } from './event-data-source.ts'

const target = new URL('../event-data.ts', import.meta.url)
const wanted = await eventDataSource()
const present = await readFile(target, 'utf8').catch(() => null)

if (present === wanted) {
  console.log('event-data.ts is up to date')
} else if (process.argv.includes('--check')) {
  console.error('event-data.ts differs from the declared event types: run `npm run generate`')
  process.exitCode = 1
} else {
  await writeFile(target, wanted)
  console.log('event-data.ts written')
}
