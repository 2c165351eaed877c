// kafkajs asks for all topics of a cluster where a client did not name its own yet (a producer that connects, a look for topics), and
// takes no answer in which any partition has no leader. So a topic of somebody else with a single copy, on a broker that is restarted,
// kept every new producer out, and each send that met a moved leader makes one. Of topics that nobody named no fault is of interest.
import { createRequire } from 'node:module'

interface Answer {
  topicMetadata: { topicErrorCode: number; partitionMetadata: { partitionErrorCode: number }[] }[]
}
type Ask = (o: { topics: string[] }) => { response: { parse(answer: Answer): Promise<unknown> } }

const Metadata: { protocol(o: { version: number }): Ask } = createRequire(import.meta.url)(
  'kafkajs/src/protocol/requests/metadata',
)
let isDone = false

/** For all clients of this process; nothing at the second call. */
export function takeForeignTopicsAsTheyAre(): void {
  if (isDone) return
  isDone = true
  const { protocol } = Metadata
  Metadata.protocol = (o) => (asked) => {
    const call = protocol(o)(asked)
    if (asked.topics.length > 0) return call
    return { ...call, response: { ...call.response, parse: (answer) => call.response.parse(withoutFaults(answer)) } }
  }
}

function withoutFaults(answer: Answer): Answer {
  const topicMetadata = answer.topicMetadata.map((topic) => ({
    ...topic,
    topicErrorCode: 0,
    partitionMetadata: topic.partitionMetadata.map((partition) => ({ ...partition, partitionErrorCode: 0 })),
  }))
  return { ...answer, topicMetadata }
}
