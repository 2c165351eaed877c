/** C70: what an upload of 100,000 lines takes and needs, and a look-back over 450,000 rows that finds nothing new. */
import { type ApiPlace, dateAgo, startApiPlace } from '../api-place.ts'
import { residentMibOf } from '../cpu.ts'
import { rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext } from './measure.ts'

const linesOfFile = 100_000
const [fileMaxMs, memoryMaxMib] = [60_000, 150]
const linesOfLookBack = 450_000
const lookBackMaxMs = 60_000

/** So many lines of the last 45 days: campaigns by countries. */
function csvOf(lines: number): string {
  const countries = ['DE', 'SE', 'CA', 'FI', 'NO', 'FR', 'IT', 'ES', 'AT', 'CH']
  const perDay = Math.ceil(lines / 45)
  const of = (at: number) => {
    const nth = at % perDay
    const campaign = `c${Math.floor(nth / countries.length)}`
    return `${dateAgo(1 + Math.floor(at / perDay))},${campaign},${countries[nth % countries.length]},${at % 500},${at % 9},${(at * 7) % 10_000}.50`
  }
  return [
    'date,campaign,country,clicks,ftds,deposits_amount',
    ...Array.from({ length: lines }, (_, at) => of(at)),
    '',
  ].join('\n')
}

/** Milliseconds from the upload to its end, the counts of its run, and how far the service's memory went above what it was, in MiB. */
async function upload(place: ApiPlace, csv: string) {
  const { pid } = place.rig.services.api
  const before = residentMibOf(pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentMibOf(pid))
  }, 50)
  try {
    const fromMs = performance.now()
    const found = await place.upload('stats', csv)
    const ms = performance.now() - fromMs
    return { ms, mib: most - before, run: await place.call(`/v1/sync-runs/${String(found.sync_run_id)}`) }
  } finally {
    clearInterval(watch)
  }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const place = await startApiPlace(context)
  try {
    await upload(place, csvOf(1_000))
    const file = await upload(place, csvOf(linesOfFile))
    const large = csvOf(linesOfLookBack)
    const first = await upload(place, large)
    const again = await upload(place, large)
    const { rows_unchanged: unchanged, rows_inserted: inserted, rows_updated: updated } = again.run
    context.say(`${unchanged} rows unchanged, ${inserted} inserted, ${updated} updated`)
    if (unchanged !== linesOfLookBack || inserted !== 0 || updated !== 0) throw new Error('a row was written again')
    return [
      {
        measure: `import of ${linesOfFile.toLocaleString('en')} lines`,
        value: rounded(file.ms),
        unit: 'ms',
        floor: atMost(file.ms, fileMaxMs),
      },
      { measure: 'its memory', value: rounded(file.mib), unit: 'MiB', floor: atMost(file.mib, memoryMaxMib) },
      { measure: `import of ${linesOfLookBack.toLocaleString('en')} lines`, value: rounded(first.ms), unit: 'ms' },
      { measure: 'its memory, above that', value: rounded(first.mib), unit: 'MiB' },
      {
        measure: `the same ${linesOfLookBack.toLocaleString('en')} again, none written`,
        value: rounded(again.ms),
        unit: 'ms',
        floor: atMost(again.ms, lookBackMaxMs),
      },
    ]
  } finally {
    await place.stop()
  }
}

export const imports: Measure = {
  name: 'imports',
  meaning: 'an upload of 100,000 lines, and one of 450,000 that were uploaded before',
  run,
}
