/**
 * Where the events are that the receiver did not see, for the message of a red run: in an outbox, in the log before a consumer, in
 * delivery's queues, or before an attempt. Whatever cannot be asked is named as such and hides nothing else.
 */
import { createKafkaLog } from '@wds/event-log/kafka-log'
import type { ServiceName } from '@wds/provision/provision'
import { Kafka, logLevel } from 'kafkajs'
import type { Ask } from '../../harness/ask.ts'
import type { Position } from '../checkers/store-checker.ts'
import { outboxRows } from './read-history.ts'
import { consuming, readPositions } from './read-positions.ts'

interface Asked {
  ask: Ask
  /** `host:port`; empty: the log is in Postgres. */
  brokers: string
  partitions: number
  /** Ids of the events. */
  missing: string[]
  services: { service: ServiceName; output(): string }[]
}

/** Longest wait for one part of the answer. */
const partMs = 20_000
/** Rows of a list that are shown. */
const rowsMax = 20

/** Several lines of text. Never rejects. */
export async function whereEventsAre(o: Asked): Promise<string> {
  const parts: [string, () => Promise<unknown>][] = [
    ['outbox rows', () => outboxRows(o.ask)],
    ...(o.brokers === '' ? [] : ofKafka(o)),
    [
      'deliveries by status',
      () => o.ask('delivery', 'select status, count(*)::int as n from delivery.deliveries group by 1'),
    ],
    ['deliveries of the missing', () => deliveriesOf(o)],
    ['missing that wait for the fan-out', () => waitsIn(o, 'fan_out_queue')],
    ['missing that are due', () => waitsIn(o, 'due')],
    ['missing that are leased', () => waitsIn(o, 'leases')],
    ['lanes', () => o.ask('delivery', `select *, now() from delivery.lanes limit ${rowsMax}`)],
    ['dead letters', () => deadLetters(o)],
    ...o.services.map((one): [string, () => Promise<unknown>] => [`${one.service} warned`, async () => warnings(one)]),
  ]
  const lines = await Promise.all(
    parts.map(async ([what, find]) => `  ${what}: ${JSON.stringify(await within(find), asText)}`),
  )
  return [`${o.missing.length} missing: ${o.missing.slice(0, rowsMax).join(' ')}`, ...lines].join('\n')
}

/** What a broker alone can tell. */
const ofKafka = (o: Asked): [string, () => Promise<unknown>][] => [
  ['consumers behind the log', () => partitionsBehind(o)],
  ['groups', () => groups(o)],
]

async function within(find: () => Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, partMs, 'no answer')
  })
  const found = find().catch((error: unknown) => String(error))
  return Promise.race([found, late]).finally(() => clearTimeout(timer))
}

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** Each partition whose last record has not taken effect by now, also one without a position, beside what the broker was told of it. */
async function partitionsBehind(o: Asked): Promise<unknown> {
  const log = createKafkaLog({ brokers: [o.brokers], clientId: 'test', partitions: o.partitions })
  try {
    const behind: string[] = []
    const byTopic = Map.groupBy(await readPositions(o.ask), ({ consumer, topic }) => `${consumer} ${topic}`)
    for (const [name, rows] of byTopic) {
      const { consumer, topic } = rows[0] as Position
      const committed = await log.committedOffsets(topic, consumer)
      for (const [partition, end] of await log.ends(topic)) {
        const off = BigInt(rows.find((row) => row.partition === partition)?.off ?? -1)
        if (off < end) behind.push(`${name}/${partition}: at ${off}, reported ${committed.get(partition)}, end ${end}`)
      }
    }
    return behind
  } finally {
    await log.close()
  }
}

async function groups(o: Asked): Promise<unknown> {
  const names = new Set((await readPositions(o.ask)).map(({ consumer }) => consumer))
  const admin = new Kafka({ brokers: [o.brokers], clientId: 'test', logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    const { groups } = await admin.describeGroups([...names])
    return groups.map(({ groupId, state, members }) => `${groupId}: ${state}, ${members.length} members`)
  } finally {
    await admin.disconnect()
  }
}

function deliveriesOf({ ask, missing }: Asked): Promise<unknown> {
  return ask(
    'delivery',
    `select event_id, status, attempt, next_attempt, last_outcome from delivery.deliveries where event_id = any($1) limit ${rowsMax}`,
    [missing],
  )
}

function waitsIn({ ask, missing }: Asked, table: 'fan_out_queue' | 'due' | 'leases'): Promise<unknown> {
  const sql = `select * from delivery.${table} where event_id = any($1) limit ${rowsMax}`
  return ask('delivery', sql, [missing])
}

async function deadLetters({ ask }: Asked): Promise<unknown> {
  const rows = consuming.map((service) =>
    ask(service, `select consumer, topic, partition, event_id, reason from ${service}.dead_letters limit ${rowsMax}`),
  )
  return (await Promise.all(rows)).flat()
}

/** The newest lines of warnings and errors. */
function warnings({ output }: { output(): string }): string[] {
  const lines = output().split('\n')
  return lines.filter((line) => /"level":"?(warn|error|fatal|[456]0)\b/.test(line)).slice(-rowsMax)
}
