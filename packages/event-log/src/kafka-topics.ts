// The topics as the broker has them: makes what is missing, refuses what differs, and says where partitions begin and end
// (architecture.md 7 and 8). It must never delete or change a topic.
import type { Admin, ConfigResourceTypes, ITopicConfig } from 'kafkajs'
import { answerOf, type KafkaConnection, type OpenClient, openClient, refusalOf, typeOf } from './kafka-client.ts'
import { justMade, type LeaderWait, leaderGone, whenLed } from './kafka-leaders.ts'
import type { PartitionBounds } from './lost-records.ts'
import { LogRefused, PartitionsDiffer } from './port.ts'

/** As long as the log in Postgres keeps its days. */
const keepMs = 7 * 86_400_000
/** A segment is removed as a whole: with the broker's default of 7 days a record would stay for up to 14, longer than an inbox. */
const segmentMs = 6 * 3_600_000
const retry = { retries: 4, initialRetryTime: 100, maxRetryTime: 1_000 }

const cleanupPolicy = 'cleanup.policy'
/** kafkajs unpacks gzip alone: a consumer would stand still at the first batch that the broker packed otherwise. */
const compression = { name: 'compression.type', value: 'producer' }
const unpacked = ['producer', 'uncompressed', 'gzip']
/** What a broker takes in one batch by default: below it the relay would repeat a full request, or a large record, for ever. */
const batchBytes = { name: 'max.message.bytes', least: 1024 * 1024 }
/** Of the broker's clock: by the time of a host whose clock is wrong a record is refused (an hour ahead), or removed too early. */
const timestamps = { name: 'message.timestamp.type', value: 'LogAppendTime' }
/** Of the protocol; Node finds no export `ConfigResourceTypes` in kafkajs. */
const topicResource = 2 as ConfigResourceTypes.TOPIC

/** Told as the broker tells it, so that it is waited for as long. */
class Leaderless extends Error {
  override name = 'Leaderless'
  readonly type = 'LEADER_NOT_AVAILABLE'
  constructor(topic: string) {
    super(`a partition of ${topic} has no leader`)
  }
}

export interface KafkaTopics {
  /** Throws `PartitionsDiffer` and `LogRefused`, else what may pass. */
  ensure(): Promise<void>
  /** After a send to a topic that is gone: the next `ensure` asks again. */
  forget(): void
  /** Of every partition; rejects where one has no leader. */
  bounds(topic: string): Promise<Map<number, PartitionBounds>>
  /** Of the partitions that have a leader. */
  boundsOfLed(topic: string): Promise<Map<number, PartitionBounds>>
  /** Partitions that take no records now: without a leader, or with fewer copies in sync than the topic demands. */
  away(topic: string): Promise<Set<number>>
  /** Offset of the last record before the one that a group committed; none where it committed nothing. */
  committedOffsets(topic: string, group: string): Promise<Map<number, bigint>>
  close(): Promise<void>
}

/** `answerMs`: longest wait for one answer, with all that kafkajs tries for it. */
export function createKafkaTopics(
  connection: KafkaConnection,
  o: { topics: Map<string, boolean>; partitions: number; answerMs: number },
): KafkaTopics {
  let connected: Promise<OpenClient<Admin>> | undefined
  let made: Promise<void> | undefined
  let isBegun = false
  const closed = new AbortController()

  const ours = Array.from({ length: o.partitions }, (_, partition) => partition)
  const answered = <T>(asked: Promise<T>): Promise<T> => answerOf(asked, o.answerMs)
  /** One admin client, built anew after any fault: a connection that died while idle must not cost a second call. */
  const use = async <T>(fn: (admin: Admin) => Promise<T>): Promise<T> => {
    connected ??= connect(connection)
    const mine = connected
    try {
      return await fn((await answered(mine)).client)
    } catch (error) {
      if (connected === mine) connected = undefined
      void mine.then(
        (admin) => admin.end(),
        () => undefined,
      )
      throw error
    }
  }
  const ask = <T>(fn: (admin: Admin) => Promise<T>): Promise<T> => use((admin) => answered(fn(admin)))
  const boundsWhen = (topic: string, leaders: LeaderWait, via = ask, isPartial = false) =>
    whenLed(
      async () => {
        const found = await via((admin) => admin.fetchTopicOffsets(topic))
        // Not counted: somebody may have added partitions, which have leaders.
        const places = new Set(found.map(({ partition }) => partition))
        if (!isPartial && ours.some((partition) => !places.has(partition))) throw new Leaderless(topic)
        const boundsOf = ({ low, high }: (typeof found)[number]) => ({ first: BigInt(low), end: BigInt(high) - 1n })
        return new Map(found.map((one) => [one.partition, boundsOf(one)]))
      },
      { ...leaders, topic, ended: closed.signal, logger: connection.logger },
    )
  const ensure = async (): Promise<void> => {
    const names = [...o.topics.keys()]
    await use(async (admin) => {
      const there = new Set(await answered(admin.listTopics()))
      const missing = names.filter((name) => !there.has(name))
      if (missing.length > 0) await answered(make(admin, missing, o))
      for (const topic of missing) await boundsWhen(topic, justMade, (fn) => answered(fn(admin)))
      const { topics } = await answered(admin.fetchTopicMetadata({ topics: names }))
      for (const { name, partitions } of topics) {
        // Partitions that somebody added since the start stay empty. To stop now, at the next leader that moves, would help nobody.
        if (partitions.length === o.partitions || (isBegun && partitions.length > o.partitions)) continue
        throw new PartitionsDiffer(
          `the topic ${name} has ${partitions.length} partitions, WDS_LOG_PARTITIONS says ${o.partitions}`,
        )
      }
      await answered(checkSettings(admin, o.topics, connection.logger))
      isBegun = true
    }).catch((error: unknown) => {
      throw refusalOf(error, 'to show the topics') ?? error
    })
  }

  return {
    ensure() {
      made ??= ensure().catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    },
    forget() {
      made = undefined
    },
    bounds: (topic) => boundsWhen(topic, leaderGone),
    boundsOfLed: (topic) => boundsWhen(topic, leaderGone, ask, true),
    async away(topic) {
      const { topics } = await ask((admin) => admin.fetchTopicMetadata({ topics: [topic] }))
      const partitions = topics.flatMap((one) => one.partitions)
      const isWhole = partitions.every(({ leader, isr, replicas }) => leader >= 0 && isr.length >= replicas.length)
      // Asked each time: it may be lowered to go on with what copies there are.
      const least = isWhole ? 0 : await ask((admin) => leastInSync(admin, topic))
      const away = partitions.filter(({ leader, isr }) => leader < 0 || isr.length < least)
      return new Set(away.map(({ partitionId }) => partitionId))
    },
    async committedOffsets(topic, group) {
      const found = await ask((admin) => admin.fetchOffsets({ groupId: group, topics: [topic] }))
      const partitions = found.flatMap((one) => one.partitions).filter(({ offset }) => offset !== '-1')
      return new Map(partitions.map(({ partition, offset }) => [partition, BigInt(offset) - 1n]))
    },
    async close() {
      closed.abort()
      const admin = await connected?.catch(() => undefined)
      connected = undefined
      await admin?.end()
    },
  }
}

async function connect(connection: KafkaConnection): Promise<OpenClient<Admin>> {
  const admin = openClient(connection, (kafka) => kafka.admin({ retry }))
  try {
    await admin.client.connect()
    return admin
  } catch (error) {
    await admin.end()
    throw refusalOf(error, 'the connection') ?? error
  }
}

/** A compacted topic that is also cut by age forgets what nobody changes; a plain one that is compacted loses events. The rest: see above. */
async function checkSettings(
  admin: Admin,
  topics: Map<string, boolean>,
  logger: KafkaConnection['logger'],
): Promise<void> {
  const configNames = [cleanupPolicy, compression.name, batchBytes.name, timestamps.name]
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [...topics.keys()].map((name) => ({ type: topicResource, name, configNames })),
  })
  const timedByHosts: string[] = []
  for (const { resourceName, configEntries } of resources) {
    const settingOf = (name: string) => configEntries.find(({ configName }) => configName === name)?.configValue
    const demand = (name: string, wanted: string, isTaken = (found?: string) => found === wanted) => {
      const found = settingOf(name)
      if (isTaken(found)) return
      throw new LogRefused(`the topic ${resourceName} has the ${name} ${found}, it must be ${wanted}: set it so`)
    }
    demand(cleanupPolicy, topics.get(resourceName) ? 'compact' : 'delete')
    demand(compression.name, compression.value, (found = '') => unpacked.includes(found))
    demand(batchBytes.name, `at least ${batchBytes.least}`, (found) => Number(found) >= batchBytes.least)
    if (settingOf(timestamps.name) !== timestamps.value) timedByHosts.push(resourceName)
  }
  if (timedByHosts.length === 0) return
  const { name, value } = timestamps
  logger?.warn({ topics: timedByHosts }, `records of these topics age by the clocks of hosts: set ${name} to ${value}`)
}

async function leastInSync(admin: Admin, name: string): Promise<number> {
  const configNames = ['min.insync.replicas']
  const resources = [{ type: topicResource, name, configNames }]
  const { resources: found } = await admin.describeConfigs({ includeSynonyms: false, resources })
  return Number(found[0]?.configEntries[0]?.configValue ?? 1)
}

async function make(
  admin: Admin,
  names: string[],
  o: { topics: Map<string, boolean>; partitions: number },
): Promise<void> {
  const topics = names.map((topic): ITopicConfig => {
    const compacted = o.topics.get(topic) ?? false
    return {
      topic,
      numPartitions: o.partitions,
      // The broker's own default: 1 on one machine, 3 on a cluster.
      replicationFactor: -1,
      configEntries: compacted
        ? [timestamps, compression, { name: cleanupPolicy, value: 'compact' }]
        : [
            timestamps,
            compression,
            { name: 'retention.ms', value: String(keepMs) },
            { name: 'segment.ms', value: String(segmentMs) },
          ],
    }
  })
  try {
    // False: somebody else made them meanwhile.
    await admin.createTopics({ topics, waitForLeaders: false })
  } catch (error) {
    const refused = refusalOf(error, 'to make them') !== null || typeOf(error) === 'POLICY_VIOLATION'
    if (!refused) throw error
    throw new LogRefused(
      `Kafka has no topic ${names.join(', ')} that this client may see, and does not let it make topics: make them with ${o.partitions} partitions, or grant the rights.`,
      { cause: error },
    )
  }
}
