// For tests of bulk replays: workspaces with dead deliveries, the worker's turns, attempts without a sender. It never stands in a running service.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultSchedule } from '../deliveries/domain/schedule.ts'
import { checkProjection } from '../deliveries/store-projection.ts'
import { newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { endOpenDeliveries } from '../lanes/loop.ts'
import { type Answer, type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { endedAttempt } from '../sending/ended-attempt.fixture.ts'
import type { ClaimedAttempt, SettledAttempt } from '../sending/ports.ts'
import { createClaimStore } from '../sending/store.ts'
import { createOutcomesTurn } from './count-outcomes.ts'
import { createReplayTurn } from './loop.ts'

const dayMs = 86_400_000
/** A period that holds everything that a test makes. */
export const period = () => ({ since: new Date(Date.now() - dayMs).toISOString() })

/** The API of one workspace, and what happens in it. */
export interface Workspace {
  id: string
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>
  /** Events that are fanned out. */
  publish(o?: { count?: number; type?: string; atMs?: number }): Promise<string[]>
  subscribe(events?: string[]): Promise<string>
  /** A subscription with that many dead deliveries: it was disabled, and is enabled again. */
  withDead(count: number, o?: { events?: string[]; type?: string }): Promise<string>
  /** Claims what is due in it and settles it, each attempt with what `end` says: by default it succeeds. */
  attempt(end?: (row: ClaimedAttempt) => Partial<SettledAttempt>): Promise<ClaimedAttempt[]>
  /** What the worker does until the replay has ended: rates apply, so it looks again. */
  untilEnded(replayId: string): Promise<Answer['body']>
}

/** Routes with the worker's turns beside them. */
export interface ReplaysUnderTest extends RoutesUnderTest {
  newWorkspace(): Workspace
  /** One round over all workspaces. */
  turn(): Promise<boolean>
  countOutcomes(): Promise<boolean>
  /** Between what is stored of deliveries and the fold of their log. */
  differences(): Promise<object[]>
}

export async function startReplays(): Promise<ReplaysUnderTest> {
  const routes = await startRoutes()
  const pool = routes.engine.worker
  const turn = createReplayTurn({ pool, onDue: () => undefined })
  const differences = async () => {
    const found: object[] = []
    const report = (difference: object) => void found.push(difference)
    await checkProjection(pool, { schedule: defaultSchedule, rebuild: false, report })
    return found
  }
  const newWorkspace = () => workspaceOf(routes, turn)
  return { ...routes, newWorkspace, turn, countOutcomes: createOutcomesTurn(pool), differences }
}

function workspaceOf({ engine, call: callAs }: RoutesUnderTest, turn: () => Promise<boolean>): Workspace {
  const id = newId('wsp')
  const call: Workspace['call'] = (method, path, body, headers) => callAs(id, method, path, body, headers)
  const publish: Workspace['publish'] = async (o = {}) => {
    const ids = await seedEvents(engine, { workspaceId: id, count: 1, ...o })
    const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
    while (await fanOut.turn());
    return ids
  }
  const subscribe = (events = ['*']) => seedSubscription(engine, { workspaceId: id, events })
  return {
    id,
    call,
    publish,
    subscribe,
    async withDead(count, { events = ['*'], ...o } = {}) {
      const webhookId = await subscribe(events)
      await publish({ count, ...o })
      const toggle = async (action: 'disable' | 'enable') => {
        const { status } = await call('POST', `/v1/webhooks/${webhookId}/${action}`)
        if (status !== 200) throw new Error(`${action}: ${status}`)
      }
      await toggle('disable')
      while (await endOpenDeliveries(engine.worker));
      await toggle('enable')
      return webhookId
    },
    async attempt(end = () => ({})) {
      const store = createClaimStore({ pool: engine.worker, disableGone: async () => undefined })
      const limits = { slots: 256, lanes: 24, leaseMs: 30_000, busy: [], share: 256, slowLanes: [], slowRoom: 256 }
      await engine.admin.query('update delivery.lanes set cap = max_in_flight')
      const claimed = await store.claim({ claimId: randomUUID(), ...limits })
      const mine = claimed.filter((row) => row.workspaceId === id)
      await store.settle(mine.map((row) => endedAttempt(row, end(row))))
      return mine
    },
    async untilEnded(replayId) {
      const deadline = Date.now() + 60_000
      for (;;) {
        if (!(await turn())) await sleep(20)
        const { body } = await call('GET', `/v1/replays/${replayId}`)
        if (!['queued', 'running'].includes(body.status)) return body
        if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(body)}`)
      }
    },
  }
}
