/** From the API call to the webhook: how many a second, and how long one takes. `PATCH /v1/integrations/{id}` makes one event each. */
import { randomBytes } from 'node:crypto'
import { runOpenLoop } from '../open-loop.ts'
import { type Caller, createCaller, makeTargets } from '../patch-caller.ts'
import { type Rig, startRig, whenAllAreRecorded } from '../rig.ts'
import { type Distribution, distributionOf, rounded } from '../statistics.ts'
import { atLeast, atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const tenants = 10
/** Enough that both logs are at what the machine gives: with 48 it waits for its callers for a twelfth of the time. */
const connections = 96
/** Full load before the first window: services that ran for minutes have compiled what they run all the time. */
const warmUpSeconds = (windowSeconds: number) => Math.min(20, 3 * windowSeconds)

/** As many as `connections` callers can make in the window; every one must arrive. Events per second from the first call to the last arrival. */
async function saturate(rig: Rig, caller: Caller, o: { seconds: number; fanOut: number }): Promise<number> {
  await rig.mark()
  const startMs = performance.now()
  let calls = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - startMs < o.seconds * 1_000) {
        const nth = calls
        calls += 1
        await caller.patch(nth, randomBytes(16).toString('hex'))
      }
    }),
  )
  await whenAllAreRecorded(rig, calls * o.fanOut, 120_000)
  const arrivals = await rig.receiver.arrivals()
  const lastMs = arrivals.reduce((last, [, , , at]) => Math.max(last, at), 0) - performance.timeOrigin
  return calls / ((lastMs - startMs) / 1_000)
}

/** Milliseconds from the instant a call was due to the first byte of its hook. */
async function latencies(rig: Rig, caller: Caller, o: { rate: number; seconds: number }): Promise<Distribution> {
  await rig.mark()
  const due = new Map<string, number>()
  await runOpenLoop({
    ...o,
    call: (nth, dueMs) => {
      const traceId = randomBytes(16).toString('hex')
      due.set(traceId, dueMs)
      return caller.patch(nth, traceId)
    },
  })
  await whenAllAreRecorded(rig, due.size, 60_000)
  const arrivals = await rig.receiver.arrivals()
  return distributionOf(arrivals.map(([, , traceId, at]) => at - (due.get(traceId) as number)))
}

async function withRig<T>(
  context: MeasureContext,
  fanOut: number,
  work: (rig: Rig, caller: Caller) => Promise<T>,
): Promise<T> {
  const rig = await startRig({ ...context, tenants, subscriptions: fanOut, events: ['integration.updated'] })
  try {
    const caller = createCaller(rig, await makeTargets(rig, rig.tenants), connections)
    try {
      return await work(rig, caller)
    } finally {
      await caller.close()
    }
  } finally {
    await rig.stop()
  }
}

async function runRates(context: MeasureContext): Promise<Line[]> {
  const lines: Line[] = []
  for (const fanOut of [1, 10]) {
    await withRig(context, fanOut, async (rig, caller) => {
      const rates: number[] = []
      const cold = await saturate(rig, caller, { seconds: warmUpSeconds(context.seconds), fanOut })
      context.say(`API call to webhook, fan-out ${fanOut}: ${rounded(cold)}/s (dropped)`)
      for (let nth = 0; nth < context.repetitions; nth += 1) {
        const rate = await saturate(rig, caller, { seconds: context.seconds, fanOut })
        context.say(`API call to webhook, fan-out ${fanOut}: ${rounded(rate)}/s`)
        rates.push(rate)
      }
      const { median, range } = spread(rates)
      const floor = fanOut === 1 ? { floor: atLeast(median, 1_200) } : {}
      lines.push({
        measure: `API call to webhook, fan-out ${fanOut}`,
        value: rounded(median),
        unit: 'events/s',
        range,
        ...floor,
      })
    })
  }
  return lines
}

async function runLatency(context: MeasureContext): Promise<Line[]> {
  const floors = context.broker === 'postgres' ? { p50: 15, p99: 60 } : { p50: 20, p99: 80 }
  return withRig(context, 1, async (rig, caller) => {
    await saturate(rig, caller, { seconds: warmUpSeconds(context.seconds), fanOut: 1 })
    const full = await saturate(rig, caller, { seconds: context.seconds, fanOut: 1 })
    const half = rounded(full / 2)
    const lines: Line[] = []
    for (const rate of [100, half]) {
      const measured: Distribution[] = []
      for (let nth = 0; nth <= context.repetitions; nth += 1) {
        const distribution = await latencies(rig, caller, { rate, seconds: context.seconds })
        context.say(
          `at ${rate}/s: p50 ${distribution.p50} ms, p99 ${distribution.p99} ms${nth === 0 ? ' (dropped)' : ''}`,
        )
        if (nth > 0) measured.push(distribution)
      }
      const p50 = spread(measured.map((one) => one.p50))
      const p99 = spread(measured.map((one) => one.p99))
      const at = rate === 100 ? 'at 100 events/s' : `at half load (${half}/s)`
      const [floor50, floor99] = rate === 100 ? [floors.p50, floors.p99] : [30, 150]
      lines.push(
        {
          measure: `API call to first byte ${at}: p50`,
          value: p50.median,
          unit: 'ms',
          range: p50.range,
          floor: atMost(p50.median, floor50),
        },
        {
          measure: `API call to first byte ${at}: p99`,
          value: p99.median,
          unit: 'ms',
          range: p99.range,
          floor: atMost(p99.median, floor99),
        },
      )
    }
    return lines
  })
}

export const apiToWebhook: Measure = {
  name: 'api-to-webhook',
  meaning: 'PATCH /v1/integrations/{id} on 100 integrations of 10 tenants until every hook is recorded',
  run: runRates,
}

export const latency: Measure = {
  name: 'latency',
  meaning: 'API call due to first byte at the receiver, open loop, fan-out 1',
  run: runLatency,
}
