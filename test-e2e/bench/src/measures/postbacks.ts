/** What a network waits for the answer of a postback while several send as fast as an integration takes them, and what a fold of them takes. */
import { type ApiPlace, startApiPlace } from '../api-place.ts'
import { runOpenLoop } from '../open-loop.ts'
import { distributionOf, rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

/** Of one integration in a second: what is above it is refused. */
const rateOfOne = 100
const networks = 3
/** Of a write of the API. */
const maxMs = 100

interface Network {
  id: string
  url: string
}

interface Offered {
  p99: number
  accepted: number
  refused: number
}

async function connect(place: ApiPlace): Promise<Network[]> {
  const json = { brand_slug: 'acme', provider: 'postback', schedule: null }
  const made: Network[] = []
  for (let nth = 0; nth < networks; nth += 1) {
    const { id, postback_url } = await place.call('/v1/integrations', { body: { ...json, name: `Network ${nth}` } })
    made.push({ id: String(id), url: `${place.rig.services.api.url}${new URL(String(postback_url)).pathname}` })
  }
  return made
}

/** Conversions of campaigns and countries in turn. One that came at the edge of a second may be refused: it is counted, and not timed. */
async function offer(all: Network[], seconds: number, window: number): Promise<Offered> {
  const took: number[] = []
  let refused = 0
  const countries = ['DE', 'SE', 'CA']
  await runOpenLoop({
    rate: rateOfOne * networks,
    seconds,
    call: async (nth, dueMs) => {
      const url = all[nth % networks]?.url
      const place = `campaign=c${nth % 50}&country=${countries[nth % 7] ?? ''}`
      const response = await fetch(`${url}?event=deposit&tx_id=${window}-${nth}&amount=1.01&${place}`)
      await response.arrayBuffer()
      if (response.status === 429) refused += 1
      else if (response.ok) took.push(performance.timeOrigin + performance.now() - dueMs)
      else throw new Error(`a postback was answered with ${response.status}`)
    },
  })
  return { p99: distributionOf(took).p99, accepted: took.length, refused }
}

/** Milliseconds until the conversions of a network are in the stats. */
async function fold(place: ApiPlace, { id }: Network): Promise<number> {
  const started = await place.call(`/v1/integrations/${id}/sync-runs`, { body: {} })
  for (;;) {
    const run = await place.call(`/v1/sync-runs/${String(started.id)}`)
    if (run.status === 'succeeded') return Number(run.duration_ms)
    if (run.status === 'failed') throw new Error(`the run failed: ${JSON.stringify(run.error)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const place = await startApiPlace(context)
  try {
    const all = await connect(place)
    const offered: Offered[] = []
    for (let window = 0; window <= context.repetitions; window += 1) {
      const one = await offer(all, context.seconds, window)
      const dropped = window === 0 ? ' (dropped)' : ''
      context.say(`p99 ${one.p99} ms, ${one.accepted} accepted, ${one.refused} refused${dropped}`)
      offered.push(one)
    }
    const accepted = offered.reduce((sum, one) => sum + one.accepted, 0)
    const { rows } = await place.admin.query('select count(*)::int as n from api.postback_conversions')
    if (rows[0].n !== accepted) throw new Error(`${accepted} were accepted and ${rows[0].n} are stored`)
    const measured = offered.slice(1)
    const { median, range } = spread(measured.map(({ p99 }) => p99))
    const refused = measured.reduce((sum, one) => sum + one.refused, 0)
    const calls = measured.reduce((sum, one) => sum + one.accepted + one.refused, 0)
    const [first] = all
    const tookMs = first ? await fold(place, first) : Number.NaN
    const name = `postbacks at ${rateOfOne}/s of each of ${networks} integrations`
    return [
      { measure: `${name}: p99`, value: median, unit: 'ms', range, floor: atMost(median, maxMs) },
      { measure: 'of them refused at the edge of a second', value: rounded((100 * refused) / calls, 2), unit: '%' },
      { measure: `fold of the ${Math.round(accepted / networks)} of one integration`, value: tookMs, unit: 'ms' },
    ]
  } finally {
    await place.stop()
  }
}

export const postbacks: Measure = {
  name: 'postbacks',
  meaning: `postbacks due at ${rateOfOne}/s of each of ${networks} integrations, to their answer`,
  run,
}
