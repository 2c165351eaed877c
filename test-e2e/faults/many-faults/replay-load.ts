/**
 * Replays that are asked for amid faults, through the API and each with a key of its own: what is asked for is written down with every
 * answer. Each one speaks of deliveries that no other one speaks of, so that the epochs of each are known.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { idTimeMs } from '@wds/contracts/ids'
import type { Ask } from '../../harness/ask.ts'
import { eventually } from '../../harness/standalone.ts'
import type { ReplayAsk, ReplayedDelivery, ReplayHistory, ShownReplay } from '../checkers/replay-checker.ts'
import { drainMs } from '../rig/read-history.ts'
import type { Rig } from '../rig/rig.ts'
import type { PlannedReplay } from './fault-plan.ts'

export interface ReplayLoad {
  asks: ReplayAsk[]
  /**
   * Chooses what is spoken of while all is well; gives what asks for it, which resolves once somebody answered, or with the caller gone.
   * Null: nothing was delivered long enough ago.
   */
  prepare(planned: PlannedReplay): Promise<(() => Promise<void>) | null>
}

/** What is chosen was made so long ago at least, and within so much time. */
const madeBeforeMs = 8_000
const windowMs = 2_000
/** Of what was made then, all that was delivered so long before the ask has to be replayed. */
const deliveredBeforeMs = 5_000
const namedMax = 5
/** reliability.md 3 has 60 s, as of `probe.ts`: this is never. */
const answeredWithinMs = 300_000

export function startReplays(rig: Rig): ReplayLoad {
  const asks: ReplayAsk[] = []
  let nextMs = Date.now()
  const listed = async (since: string, until: string, limit: number): Promise<string[]> => {
    const query = new URLSearchParams({ status: 'delivered', since, until, limit: String(limit) })
    const path = `/v1/webhooks/${rig.webhookId}/deliveries?${query}`
    const answer = await eventually(
      'delivered ones are listed',
      () =>
        rig.client(path).then(
          (one) => one.status === 200 && one,
          () => null,
        ),
      drainMs,
    )
    return answer.body.data.map(({ id }: { id: string }) => id)
  }
  return {
    asks,
    async prepare({ route, afterMs, goneAfterMs, isAskedAgain }) {
      const untilMs = Date.now() - madeBeforeMs
      const sinceMs = Math.max(nextMs, untilMs - windowMs)
      if (sinceMs > untilMs) return null
      nextMs = untilMs + 1
      const [since, until] = [new Date(sinceMs).toISOString(), new Date(untilMs).toISOString()]
      const isPeriod = route === 'period of a subscription'
      const ids = isPeriod ? [] : await listed(since, until, route === 'retry of a delivery' ? 1 : namedMax)
      if (!isPeriod && ids.length === 0) return null
      const body = isPeriod ? { since, until, status: ['delivered'] } : { delivery_ids: ids }
      const path = {
        'retry of a delivery': `/v1/deliveries/${ids[0]}/retry`,
        'deliveries of a subscription': `/v1/webhooks/${rig.webhookId}/replays`,
        'deliveries of the workspace': '/v1/replays',
        'period of a subscription': `/v1/webhooks/${rig.webhookId}/replays`,
      }[route]
      const answers: { status: number; body: string }[] = []
      const key = `replay-${asks.length}-${untilMs}`
      const json = route === 'retry of a delivery' ? null : body
      const send = async () => {
        const answer = await post(rig, { path, key, json, goneAfterMs })
        answers.push(answer)
        return answer
      }
      return async () => {
        await sleep(afterMs)
        const period = isPeriod ? { sinceMs, untilMs } : null
        asks.push({
          key,
          isOrder: route !== 'retry of a delivery',
          deliveryIds: ids,
          period,
          askedMs: Date.now(),
          answers,
        })
        if (goneAfterMs !== null) {
          await send()
          return
        }
        for (let left = isAskedAgain ? 2 : 1; left > 0; left -= 1) {
          const isTold = async () => !saysToAskAgain(await send())
          await eventually(`a replay of ${route} is answered`, isTold, answeredWithinMs)
        }
      }
    },
  }
}

/** Nobody answered, or the answer does not say: the same key again, as the page for callers has it. */
function saysToAskAgain({ status, body }: { status: number; body: string }): boolean {
  return status === 0 || status >= 500 || status === 429 || body.includes('idempotency_in_progress')
}

async function post(
  rig: Rig,
  o: { path: string; key: string; json: unknown; goneAfterMs: number | null },
): Promise<{ status: number; body: string }> {
  const headers = { authorization: `Bearer ${rig.apiKey}`, 'idempotency-key': o.key }
  try {
    const response = await fetch(`${rig.url}${o.path}`, {
      method: 'POST',
      headers: o.json === null ? headers : { ...headers, 'content-type': 'application/json' },
      body: o.json === null ? null : JSON.stringify(o.json),
      signal: AbortSignal.timeout(o.goneAfterMs ?? 60_000),
    })
    return { status: response.status, body: await response.text() }
  } catch {
    return { status: 0, body: '' }
  }
}

/** @throws Error that names the replays that still run, or do not know what became of their epochs, for longer than a drain may take. */
export async function whenReplaysAreOver(ask: Ask, workspaceId: string): Promise<void> {
  const open = async () =>
    (await readOrders(ask, workspaceId)).filter((one) => one.status !== 'completed' || one.openEpochs > 0)
  await eventually('every replay is over', async () => (await open()).length === 0, drainMs).catch(
    async (cause: Error) => {
      throw new Error(`replays that are not over: ${JSON.stringify(await open())}; ${cause.message}`, { cause })
    },
  )
}

function readOrders(ask: Ask, workspaceId: string): Promise<ShownReplay[]> {
  return ask(
    'delivery',
    `select id, status, open_epochs as "openEpochs", (state->>'opened')::int as opened, (state->>'delivered')::int as delivered,
            (state->>'dead')::int as dead
       from delivery.replays where workspace_id = $1`,
    [workspaceId],
  )
}

/** Of the deliveries of a workspace what replays did to them, once nothing moves any more. */
export async function readReplays(
  ask: Ask,
  workspaceId: string,
): Promise<Pick<ReplayHistory, 'deliveries' | 'replays' | 'deliveredBeforeMs'>> {
  const deliveries = await ask<Omit<ReplayedDelivery, 'createdMs'>>(
    'delivery',
    `select d.delivery_id as "deliveryId", d.event_id as "eventId",
            ${ms("min(l.at) filter (where l.kind = 'attempt_succeeded' and l.epoch = 1)")} as "deliveredMs",
            coalesce(json_agg(l.epoch) filter (where l.kind = 'replay_requested'), '[]') as epochs,
            coalesce(json_agg(l.epoch) filter (where l.kind in ('exhausted', 'ended')), '[]') as "endedEpochs"
       from delivery.deliveries d join delivery.delivery_log l using (workspace_id, delivery_id)
      where d.workspace_id = $1 group by 1, 2`,
    [workspaceId],
  )
  return {
    // A period is bounded by the instants in the ids of events.
    deliveries: deliveries.map((one) => ({ ...one, createdMs: idTimeMs(one.eventId) })),
    replays: await readOrders(ask, workspaceId),
    deliveredBeforeMs,
  }
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
