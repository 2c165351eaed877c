// What of kafkajs is replaced, inside the pinned version, for all clients of this process. It decides nothing of ours: where kafkajs gives up
// on a whole topic for one partition without a leader, such a partition is one that nobody leads, and the others are used (decision 104);
// and a consumer that is stopped while brokers come or go ends, instead of keeping the process busy for ever.
import { createRequire } from 'node:module'

interface Answer {
  topicMetadata: {
    topicErrorCode: number
    /** Leader -1: none. */
    partitionMetadata: { partitionErrorCode: number; leader: number }[]
  }[]
}
type Ask = (o: { topics: string[] }) => { response: { parse(answer: Answer): Promise<unknown> } }
interface Pool {
  metadata: Answer | null
  metadataExpireAt: number | null
  refreshMetadata(topics: string[]): Promise<unknown>
}
interface AskedOffsets {
  topic: string
  partitions: { partition: number }[]
}
interface Brokers {
  findLeaderForPartitions(topic: string, partitions: number[]): Record<string, number[]>
  fetchTopicsOffset(topics: AskedOffsets[]): Promise<AskedOffsets[]>
}
interface Fetching {
  running: boolean
  fetch(nodeId: string): Promise<unknown>
}

const load = createRequire(import.meta.url)
const Metadata: { protocol(o: { version: number }): Ask } = load('kafkajs/src/protocol/requests/metadata')
const BrokerPool: { prototype: Pool } = load('kafkajs/src/cluster/brokerPool')
const Cluster: { prototype: Brokers } = load('kafkajs/src/cluster')
const Runner: { prototype: Fetching } = load('kafkajs/src/consumer/runner')

const nobody = -1
/** While a partition has no leader, one is looked for so often, ms; kafkajs itself looks every 5 minutes. */
const lookMs = 500
let isDone = false

/** Nothing at the second call. */
export function mendKafkajs(): void {
  if (isDone) return
  isDone = true
  takePartitionsWithoutLeader()
  lookForLeaders()
  leaveOutWhatNobodyLeads()
  endFetchersOfStoppedConsumers()
}

/**
 * kafkajs takes no answer in which a partition has no leader. It asks for all topics of a cluster where a client did not name its own yet (a
 * producer that connects, a look for topics), so one of somebody else kept everybody out (decision 86).
 */
function takePartitionsWithoutLeader(): void {
  const { protocol } = Metadata
  Metadata.protocol = (o) => (asked) => {
    const call = protocol(o)(asked)
    const { parse } = call.response
    const isForeign = asked.topics.length === 0
    return { ...call, response: { ...call.response, parse: (answer) => parse(accepted(answer, isForeign)) } }
  }
}

/** Faults of topics that were named count as before. */
function accepted(answer: Answer, isForeign: boolean): Answer {
  const topicMetadata = answer.topicMetadata.map((topic) => ({
    ...topic,
    topicErrorCode: isForeign ? 0 : topic.topicErrorCode,
    partitionMetadata: topic.partitionMetadata.map((partition) => ({ ...partition, partitionErrorCode: 0 })),
  }))
  return { ...answer, topicMetadata }
}

function lookForLeaders(): void {
  const { refreshMetadata } = BrokerPool.prototype
  BrokerPool.prototype.refreshMetadata = async function (topics) {
    await refreshMetadata.call(this, topics)
    const partitions = (this.metadata?.topicMetadata ?? []).flatMap(({ partitionMetadata }) => partitionMetadata)
    const isMissing = topics.length > 0 && partitions.some(({ leader }) => leader === nobody)
    if (isMissing) this.metadataExpireAt = Date.now() + lookMs
  }
}

/** Nobody knows where a partition without a leader begins and ends. */
function leaveOutWhatNobodyLeads(): void {
  const { fetchTopicsOffset } = Cluster.prototype
  Cluster.prototype.fetchTopicsOffset = async function (topics) {
    const asked = topics.map((one) => {
      const ids = one.partitions.map(({ partition }) => partition)
      const leaderless = this.findLeaderForPartitions(one.topic, ids)[nobody] ?? []
      return { ...one, partitions: one.partitions.filter(({ partition }) => !leaderless.includes(partition)) }
    })
    const found = await fetchTopicsOffset.call(this, asked)
    return topics.map(({ topic }) => found.find((one) => one.topic === topic) ?? { topic, partitions: [] })
  }
}

/**
 * Where the brokers of a cluster change during a stop, kafkajs makes fetchers that nobody stops, and each asks a consumer that fetches
 * nothing any more again and again, without a pause: nothing else in the process ran from then on.
 */
function endFetchersOfStoppedConsumers(): void {
  const { fetch } = Runner.prototype
  Runner.prototype.fetch = async function (nodeId) {
    if (!this.running) throw new Error('the consumer was stopped')
    return fetch.call(this, nodeId)
  }
}
