/** From the API call to the webhook: how many a second, and how long one takes. `PATCH /v1/integrations/{id}` makes one event each. */
import { randomBytes } from 'node:crypto'
import { type Dispatcher, Pool } from 'undici'
import { runOpenLoop } from '../open-loop.ts'
import { type Rig, startRig, whenAllAreRecorded } from '../rig.ts'
import { type Distribution, distributionOf, rounded } from '../statistics.ts'
import { atLeast, atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const tenants = 10
const integrationsEach = 10
/** Enough that both logs are at what the machine gives: with 48 it waits for its callers for a twelfth of the time. */
const connections = 96
/** Full load before the first window: services that ran for minutes have compiled what they run all the time. */
const warmUpSeconds = (windowSeconds: number) => Math.min(20, 3 * windowSeconds)

interface Target {
  path: string
  authorization: string
}

interface Caller {
  /** One call; resolves when it was answered with 200. */
  patch(nth: number, traceId: string): Promise<void>
  close(): Promise<void>
}

async function makeTargets(rig: Rig): Promise<Target[]> {
  const targets: Target[] = []
  for (const { apiKey } of rig.tenants) {
    const authorization = `Bearer ${apiKey}`
    for (let nth = 0; nth < integrationsEach; nth += 1) {
      const response = await fetch(`${rig.services.api.url}/v1/integrations`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `bench ${nth}`, provider: 'csv_upload', brand_slug: 'bench', currency: 'EUR' }),
      })
      const body = (await response.json()) as { id: string }
      if (response.status !== 201) throw new Error(`an integration was refused: ${JSON.stringify(body)}`)
      targets.push({ path: `/v1/integrations/${body.id}`, authorization })
    }
  }
  return targets
}

function createCaller(rig: Rig, targets: Target[]): Caller {
  const pool = new Pool(rig.services.api.url, { connections })
  return {
    patch: (nth, traceId) =>
      new Promise((resolve, reject) => {
        const { path, authorization } = targets[nth % targets.length] as Target
        const headers = {
          authorization,
          'content-type': 'application/json',
          traceparent: `00-${traceId}-00f067aa0ba902b7-00`,
        }
        // A name of its own: a patch that changes nothing makes no event.
        const body = JSON.stringify({ name: `bench ${traceId}` })
        const fail = (reason: Error) => reject(new Error(`PATCH ${path}: ${reason.message}`, { cause: reason }))
        pool.dispatch({ path, method: 'PATCH', headers, body }, new PlainAnswer(resolve, fail))
      }),
    close: () => pool.close(),
  }
}

/** Waits for an answer of 200. No stream is made for its body: the load shall leave the processors to what it loads. */
class PlainAnswer implements Dispatcher.DispatchHandler {
  readonly #resolve: () => void
  readonly #reject: (reason: Error) => void
  #status = 0
  #refusal = ''

  constructor(resolve: () => void, reject: (reason: Error) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  /** undici refuses a handler without it. */
  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer): void {
    if (this.#status !== 200) this.#refusal += part
  }

  onResponseEnd(): void {
    if (this.#status === 200) this.#resolve()
    else this.#reject(new Error(`answered ${this.#status}: ${this.#refusal}`))
  }

  onResponseError(_controller: Dispatcher.DispatchController, reason: Error): void {
    this.#reject(reason)
  }
}

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
    const caller = createCaller(rig, await makeTargets(rig))
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
