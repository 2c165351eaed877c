/** Whether the time of a refused sign-in tells that somebody has the address: attempts with a known and an unknown one take turns. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ask, hiddenIn } from '../../../harness/oauth-client.ts'
import { makeWorkspace } from '../../../harness/stack.ts'
import { startRig } from '../rig.ts'
import { distributionOf, rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

/** Of 100 pairs, one of each, in how many the known address may take longer: 50 is chance. */
const longerMaxPercent = 60

interface Taken {
  known: number[]
  unknown: number[]
}

/** Milliseconds of each attempt. `forget`: the limits on failures are not what is measured. */
async function attemptInTurns(o: {
  url: string
  known: string
  seconds: number
  forget(): Promise<unknown>
}): Promise<Taken> {
  const taken: Taken = { known: [], unknown: [] }
  const at = { url: o.url, host: '127.0.0.1' }
  const endMs = performance.now() + o.seconds * 1_000
  for (let nth = 0; performance.now() < endMs; nth += 1) {
    // Whichever goes first might find the caches colder.
    const kinds = nth % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of kinds) {
      const email = kind === 'known' ? o.known : `${randomBytes(6).toString('hex')}@example.test`
      const page = await ask(at, '/sign-in')
      const form = { ...hiddenIn(page), email, password: 'not the password of anybody' }
      const startMs = performance.now()
      const { status } = await ask(at, '/sign-in', { form, cookie: page.cookies.join('; ') })
      taken[kind].push(performance.now() - startMs)
      if (status !== 422) throw new Error(`an attempt was answered with ${status}`)
    }
    await o.forget()
  }
  return taken
}

/** In how many of 100 pairs, each of one of both, the first takes longer (the area under the ROC curve). */
function longerPercent(first: readonly number[], second: readonly number[]): number {
  const longer = first.flatMap((a) => second.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))
  return (100 * longer.reduce((sum: number, one) => sum + one, 0)) / longer.length
}

async function run(context: MeasureContext): Promise<Line[]> {
  const rig = await startRig({ ...context, tenants: 0, subscriptions: 0, spareOrigins: 1, events: [] })
  const admin = new pg.Client({ connectionString: rig.stack.adminUrls.auth })
  try {
    await admin.connect()
    const known = `ada-${randomBytes(6).toString('hex')}@example.test`
    const owner = { name: 'Ada', email: known, password: randomBytes(16).toString('hex') }
    await makeWorkspace(rig.stack.operator, { name: 'Acme Media', plan: 'business', owner })
    const forget = () => admin.query('truncate auth.sign_in_attempts')
    const measured: { known: number; unknown: number; longer: number }[] = []
    for (let nth = 0; nth <= context.repetitions; nth += 1) {
      const taken = await attemptInTurns({ url: rig.services.auth.url, known, seconds: context.seconds, forget })
      const [a, b] = [distributionOf(taken.known), distributionOf(taken.unknown)]
      const longer = longerPercent(taken.known, taken.unknown)
      const told = `known p50 ${a.p50} ms, p99 ${a.p99} ms; unknown p50 ${b.p50} ms, p99 ${b.p99} ms`
      context.say(`${a.count} pairs: ${told}; known longer in ${rounded(longer)} %${nth === 0 ? ' (dropped)' : ''}`)
      if (nth > 0) measured.push({ known: a.p50, unknown: b.p50, longer })
    }
    const longer = spread(measured.map((one) => rounded(one.longer, 1)))
    return [
      ...(['known', 'unknown'] as const).map((kind) => {
        const { median, range } = spread(measured.map((one) => one[kind]))
        return { measure: `sign-in refused: ${kind} address, p50`, value: median, unit: 'ms', range }
      }),
      {
        measure: 'sign-in refused: known takes longer than unknown',
        value: longer.median,
        unit: '% of pairs',
        range: longer.range,
        floor: atMost(longer.median, longerMaxPercent),
      },
    ]
  } finally {
    await admin.end()
    await rig.stop()
  }
}

export const signIn: Measure = {
  name: 'sign-in',
  meaning: 'refused sign-ins with a known and an unknown address, in turn: whether their time tells one from the other',
  run,
}
