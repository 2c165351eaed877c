/** Makes one fault of the plan on a rig, and heals it: when it resolves nothing stands in the way any more. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { KafkaBroker } from '@wds/local-infra/kafka-broker'
import type { PostgresServer } from '@wds/local-infra/postgres-server'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import type { FaultProxy } from '../../harness/fault-proxy.ts'
import { startOwnPostgresAgain } from '../../harness/own-postgres.ts'
import { changeTo, report, type Write } from '../rig/load.ts'
import type { Rig } from '../rig/rig.ts'
import type { FaultKind, PlannedFault } from './fault-plan.ts'
import { publishUnreadable } from './unreadable-records.ts'

export interface FaultPlace {
  rig: Rig
  /** Before the database of each service. */
  proxies: Record<ServiceName, FaultProxy>
  /** The one that runs now. */
  postgres: PostgresServer
  /** Changed by the callers that go away. */
  integrationId: string
  /** Where their changes are written down. */
  writes: Write[]
  /** Ids of the records that nobody can read. */
  unreadable: string[]
}

const goneCallers = 10
const startsMax = 5

/** @throws Error where a process does not come back. */
export async function injectFault(place: FaultPlace, fault: PlannedFault): Promise<void> {
  await injectors[fault.kind](place, fault)
}

type Inject = (place: FaultPlace, fault: PlannedFault) => Promise<void>

const injectors: Record<FaultKind, Inject> = {
  'service killed': async ({ rig }, { service }) => {
    await rig.services[service].kill()
    await startSurely(rig, service)
  },
  'all services killed at once': async ({ rig }) => {
    await Promise.all(serviceNames.map((service) => rig.services[service].kill()))
    await Promise.all(serviceNames.map((service) => startSurely(rig, service)))
  },
  'service stopped, then continued': ({ rig }, { service, forMs }) => stoppedFor(rig.services[service].pid, forMs),
  'every connection of a service to its database cut': async (place, { service }) => cut(place, service),
  'one connection ended by the database': async ({ rig }, { service }) => {
    await rig.ask(
      service,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename <> current_user and backend_type = 'client backend'
        order by random() limit 1`,
    )
  },
  'database of a service refuses connections': ({ proxies }, { service, forMs }) => refused(proxies[service], forMs),
  'database of a service takes everything and says nothing': ({ proxies }, { service, forMs }) =>
    swallowed(proxies[service], 'all', forMs),
  'answers of the database of a service get lost': ({ proxies }, { service, forMs }) =>
    swallowed(proxies[service], 'answers', forMs),
  'slow disk: each commit of the database waits 100 ms': async ({ rig }, { service, forMs }) => {
    const set = async (...statements: string[]) => {
      for (const statement of [...statements, 'select pg_reload_conf()']) await rig.ask(service, statement)
    }
    await set('alter system set commit_delay = 100000', 'alter system set commit_siblings = 0')
    await sleep(forMs)
    await set('alter system reset commit_delay', 'alter system reset commit_siblings')
  },
  'Postgres killed': async (place, { forMs }) => {
    await place.postgres.kill()
    await sleep(forMs)
    place.postgres = await startOwnPostgresAgain(place.postgres)
  },
  'receiver hangs': async ({ rig }, { forMs }) => {
    await rig.receiver.hang(rig.receiver.origins)
    await sleep(forMs)
    await rig.receiver.hang([])
  },
  'callers gone before their answer': async ({ rig, integrationId, writes }) => {
    await Promise.all(
      Array.from({ length: goneCallers }, async (_, nth) => {
        const at = Date.now()
        const name = `gone ${at} ${nth}`
        await patchAndLeave(rig, { integrationId, name, afterMs: 3 * nth })
        writes.push({ integrationId, name, status: 0, headers: null, at, tookMs: Date.now() - at })
      }),
    )
  },
  'records in the log that nobody can read': async ({ rig, unreadable }) => {
    unreadable.push(...(await publishUnreadable(rig)))
  },
  'every connection to the broker cut': async ({ rig }) => {
    const { proxy, kafka } = brokerOf(rig)
    proxy.moveTo({ host: '127.0.0.1', port: kafka.port })
  },
  'broker refuses connections': ({ rig }, { forMs }) => refused(brokerOf(rig).proxy, forMs),
  'broker takes everything and says nothing': ({ rig }, { forMs }) => swallowed(brokerOf(rig).proxy, 'all', forMs),
  'answers of the broker get lost': ({ rig }, { forMs }) => swallowed(brokerOf(rig).proxy, 'answers', forMs),
  'broker stopped, then continued': ({ rig }, { forMs }) => stoppedFor(brokerOf(rig).kafka.pid(), forMs),
  'broker killed': async ({ rig }, { forMs }) => {
    const { kafka } = brokerOf(rig)
    await kafka.kill()
    await sleep(forMs)
    await kafka.start()
  },
}

/** As a platform does it: a process that ends at its start, since nobody gave it a connection in time, is started again. */
async function startSurely(rig: Rig, service: ServiceName): Promise<void> {
  for (let left = startsMax; ; left -= 1) {
    try {
      await rig.start(service)
      return
    } catch (error) {
      if (left === 1) throw error
      report(`${service} ended at its start and is started again: ${(error as Error).message.slice(-200)}`)
    }
  }
}

function brokerOf({ brokerProxy, stack }: Rig): { proxy: FaultProxy; kafka: KafkaBroker } {
  if (brokerProxy === null || stack.kafka === null) throw new Error('the log is not on Kafka')
  return { proxy: brokerProxy, kafka: stack.kafka }
}

async function stoppedFor(pid: number, forMs: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  try {
    await sleep(forMs)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

function cut({ proxies, postgres }: FaultPlace, service: ServiceName): void {
  proxies[service].moveTo({ host: '127.0.0.1', port: postgres.port })
}

async function refused(proxy: FaultProxy, forMs: number): Promise<void> {
  await proxy.refuse()
  await sleep(forMs)
  await proxy.pass()
}

async function swallowed(proxy: FaultProxy, what: 'all' | 'answers', forMs: number): Promise<void> {
  proxy.swallow(what)
  await sleep(forMs)
  await proxy.pass()
}

async function patchAndLeave(rig: Rig, o: { integrationId: string; name: string; afterMs: number }): Promise<void> {
  const leaving = new AbortController()
  const asked = fetch(`${rig.url}/v1/integrations/${o.integrationId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${rig.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(changeTo(o.name)),
    signal: leaving.signal,
  })
  const ended = asked.then((response) => response.arrayBuffer()).catch(() => null)
  await sleep(o.afterMs)
  leaving.abort()
  await ended
}
