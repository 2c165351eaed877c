/**
 * F32: a burst of one workspace, 100,000 events unless told, each for 10 subscriptions, goes from api's outbox to its endpoints. What the
 * calls of 8 other workspaces feel: while it is taken in, and while its deliveries wait.
 */
import { startReceiver } from '../../../harness/receiver.ts'
import { type Distribution, rounded } from '../statistics.ts'
import { distribution, prepareBurst, quietFor, type Scene, sample, whenTakenIn, withScene } from './burst.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const fanOut = 10

async function run(context: MeasureContext): Promise<Line[]> {
  // A process of its own: nobody asks it what arrived.
  const wide = await startReceiver(fanOut)
  try {
    return await withScene(context, async (scene) => {
      for (const origin of wide.origins) await scene.rig.subscribe(scene.greedy, { origin, events: ['sync.*'] })
      return measure(scene, context, () => wide.count())
    })
  } finally {
    wide.stop()
  }
}

async function measure(scene: Scene, context: MeasureContext, sent: () => Promise<number>): Promise<Line[]> {
  const { rig, caller, outbox, greedy } = scene
  const { burst: events, seconds, repetitions, say } = context
  const window = async () => distribution(await sample(rig, caller, quietFor(seconds)))
  await sample(rig, caller, quietFor(Math.min(10, seconds)))
  const quiet: Distribution[] = []
  for (let nth = 0; nth < repetitions; nth += 1) quiet.push(await window())

  const begin = await prepareBurst(outbox, { ...greedy, events })
  const startMs = performance.now()
  let tookMs: number | null = null
  const watching = begin()
    .then(() => whenTakenIn(rig, outbox, { ...greedy, events }))
    .finally(() => {
      tookMs = performance.now() - startMs
    })
  const during = distribution(await sample(rig, caller, () => tookMs !== null))
  await watching
  say(`quiet p99 ${quiet.map(({ p99 }) => p99)} ms, while it is taken in ${during.p99} ms`)
  const behind: Distribution[] = []
  while (behind.length < repetitions) {
    behind.push(await window())
    if ((await sent()) >= events * fanOut)
      throw new Error('all of the burst was delivered within the windows: make it larger, or them shorter')
    say(`while its deliveries wait ${behind.at(-1)?.p99} ms`)
  }
  const delivered = await sent()
  const rate = delivered / ((performance.now() - startMs) / 1_000)
  return [
    ...linesOf(
      quiet,
      [
        ['is taken in', [during]],
        ['waits', behind],
      ],
      events,
    ),
    { measure: 'the burst is taken in within', value: rounded((tookMs ?? 0) / 1_000, 1), unit: 's' },
    { measure: 'its deliveries meanwhile', value: rounded(rate), unit: '/s' },
  ]
}

function linesOf(quiet: Distribution[], beside: [when: string, found: Distribution[]][], events: number): Line[] {
  const a = spread(quiet.map(({ p99 }) => p99))
  return [
    { measure: 'p99 of others, quiet', value: a.median, unit: 'ms', range: a.range },
    ...beside.flatMap(([when, found]): Line[] => {
      const b = spread(found.map(({ p99 }) => p99))
      const ratio = rounded(b.median / a.median, 2)
      const what = `a burst of ${events.toLocaleString('en')} for ${fanOut} subscriptions ${when}`
      return [
        { measure: `p99 of others, while ${what}`, value: b.median, unit: 'ms', range: b.range },
        { measure: `ratio, while it ${when}`, value: ratio, unit: '', floor: atMost(ratio, 1.5) },
      ]
    }),
  ]
}

export const wideBurst: Measure = {
  name: 'wide-burst',
  meaning: `a burst of one workspace for ${fanOut} subscriptions beside 100 calls/s of 8 others`,
  run,
}
