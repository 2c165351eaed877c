// Says when a consumer's client is dead although it reports no fault: kafkajs asks again over the same connection for ever.

/** Unanswered requests in a row after which a connection counts as dead. */
const unansweredMax = 2

/** Requests were sent and no answer came in time. */
export class Unanswered extends Error {
  override name = 'Unanswered'
}

export interface SignsOfLifeOptions {
  group: string
  /** Silence after which a member that has joined counts as dead, in milliseconds. */
  silenceMs: number
  sessionTimeoutMs: number
  /** Called with the reason; perhaps more than once. */
  dead(reason: Error): void
}

export interface SignsOfLife {
  /** A request was answered. A fetch is no sign of life: where the group forgot a member and its join failed, kafkajs fetches on without heartbeats. */
  answered(): void
  unanswered(): void
  /** The coordinator took a heartbeat. */
  beat(): void
  /** A join begins. */
  joins(): void
  joined(): void
  stop(): void
}

export function createSignsOfLife({ group, silenceMs, sessionTimeoutMs, dead }: SignsOfLifeOptions): SignsOfLife {
  // Counted in ticks, so that a process that was stopped and goes on does not look like a silent client.
  const tickMs = Math.min(1_000, silenceMs / 4)
  let silentMs = 0
  let unanswered = 0
  // Whoever joins hears nothing until the session of a member that died has ended. To begin anew before that would leave the next
  // one to wait for, and so on for ever.
  let isJoining = true
  const ticking = setInterval(() => {
    silentMs += tickMs
    if (silentMs < silenceMs + (isJoining ? sessionTimeoutMs : 0)) return
    dead(new Error(`the Kafka client of ${group} gave no sign of life for ${silentMs} ms`))
  }, tickMs)
  return {
    answered() {
      unanswered = 0
    },
    unanswered() {
      unanswered += 1
      if (unanswered >= unansweredMax) dead(new Unanswered('Kafka does not answer'))
    },
    beat() {
      silentMs = 0
      unanswered = 0
      // Where the join or the request for the assignment failed, kafkajs goes on with the partitions that it had, also under a new
      // member id, tells nobody, and what it fetches would be dropped for as long as the coordinator takes its heartbeats.
      if (isJoining) dead(new Error('Kafka did not let the member join anew'))
    },
    joins() {
      isJoining = true
    },
    joined() {
      silentMs = 0
      unanswered = 0
      isJoining = false
    },
    stop: () => clearInterval(ticking),
  }
}
