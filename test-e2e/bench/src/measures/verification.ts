/** What it costs a resource service to know the caller of a request: an access token that it has seen before, and an API key. */
import { setImmediate as turn } from 'node:timers/promises'
import { createAccessDirectory } from '@wds/access/access-directory'
import { createPool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { openOAuthClient } from '../../../harness/oauth-client.ts'
import { whenKeyIsKnown } from '../../../harness/stack.ts'
import { type Rig, startRig } from '../rig.ts'
import { rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

/** Microseconds for each request. */
const costMaxUs = 200
const callsEach = 1_000

/** What stands in the header, in turn; without credentials nothing is verified. */
const kinds = ['none', 'token', 'key'] as const
type Headers = Record<(typeof kinds)[number], string | undefined>

async function withDirectory<T>(
  rig: Rig,
  work: (judge: (header: string | undefined) => Promise<{ ok: boolean }>) => Promise<T>,
): Promise<T> {
  const pool = createPool({ connectionString: rig.stack.urls.api.http, applicationName: 'bench', max: 2 })
  const [issuer, audience] = ['http://127.0.0.1', 'http://127.0.0.1']
  const logger = createLogger({ service: 'bench', level: 'silent' })
  const directory = createAccessDirectory({ pool, issuer, audience, logger })
  try {
    await directory.start()
    await directory.whenConfirmed()
    return await work((header) => directory.authenticate(header, '127.0.0.1'))
  } finally {
    await directory.stop()
    await pool.end()
  }
}

/** Milliseconds for a call with each kind, in blocks that take turns for `seconds`: the medians over the blocks. */
async function judgeInTurns(
  judge: (header: string | undefined) => Promise<{ ok: boolean }>,
  headers: Headers,
  seconds: number,
): Promise<Record<(typeof kinds)[number], number>> {
  const blocks: Record<(typeof kinds)[number], number[]> = { none: [], token: [], key: [] }
  const endMs = performance.now() + seconds * 1_000
  while (performance.now() < endMs) {
    for (const kind of kinds) {
      const startMs = performance.now()
      for (let nth = 0; nth < callsEach; nth += 1) {
        const { ok } = await judge(headers[kind])
        if (ok !== (kind !== 'none')) throw new Error(`with ${kind} the caller is ${ok ? '' : 'not '}known`)
      }
      blocks[kind].push((performance.now() - startMs) / callsEach)
      // Between requests a service has turns of its loop, in which the copy is kept fresh: without them nobody is judged by it after 5 s.
      await turn()
    }
  }
  const median = (kind: (typeof kinds)[number]) => {
    const sorted = blocks[kind].sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] as number
  }
  return { none: median('none'), token: median('token'), key: median('key') }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const rig = await startRig({ ...context, tenants: 0, subscriptions: 0, spareOrigins: 1, events: [] })
  try {
    const client = await openOAuthClient(rig.stack, { url: rig.services.auth.url, host: '127.0.0.1' })
    const { body } = await client.redeem(await client.authorize())
    for (const credentials of [body.access_token, client.apiKey])
      await whenKeyIsKnown(`${rig.services.api.url}/v1/integrations`, credentials)
    const headers = { none: undefined, token: `Bearer ${body.access_token}`, key: `Bearer ${client.apiKey}` }
    return await withDirectory(rig, async (judge) => {
      const costs: { token: number; key: number }[] = []
      for (let nth = 0; nth <= context.repetitions; nth += 1) {
        const { none, token, key } = await judgeInTurns(judge, headers, context.seconds)
        const cost = { token: token - none, key: key - none }
        const told = (value: number) => `${rounded(value * 1_000, 1)} µs`
        context.say(`token ${told(cost.token)}, key ${told(cost.key)} more than none${nth === 0 ? ' (dropped)' : ''}`)
        if (nth > 0) costs.push(cost)
      }
      return [
        line(
          'access token that was seen before',
          costs.map(({ token }) => token),
        ),
        line(
          'API key',
          costs.map(({ key }) => key),
        ),
      ]
    })
  } finally {
    await rig.stop()
  }
}

function line(what: string, values: number[]): Line {
  const sorted = values.map((value) => rounded(value * 1_000, 1))
  const { median, range } = spread(sorted)
  return {
    measure: `verification: ${what}`,
    value: median,
    unit: 'µs/request',
    range,
    floor: atMost(median, costMaxUs),
  }
}

export const verification: Measure = {
  name: 'verification',
  meaning:
    'an access token that was seen before, and an API key, judged by the tables of a stack, in turn with no credentials',
  run,
}
