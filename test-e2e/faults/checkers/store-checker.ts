/**
 * I6, I13, I14, I16 and I23 of reliability.md 5: what streams, positions, the log of deliveries and dead letters say of themselves. The table of states is
 * written from delivery.md 3; it shares no code with the services.
 */

export interface StoreHistory {
  /** Events of streams, in the order of stream and version; instants in epoch milliseconds. */
  stream: readonly { streamId: string; version: number; createdMs: number }[]
  /** Rows of the log of deliveries, in the order of their numbers, which are theirs within a delivery. */
  log: readonly { deliveryId: string; seq: number; kind: string; epoch: number; reason: string | null }[]
  /** How each delivery stands. */
  states: ReadonlyMap<string, string>
  /** Events that stand in the event log, and those that the delivery service has taken in. */
  announced: readonly string[]
  takenIn: ReadonlySet<string>
  /** What the consumers of each service put aside. */
  deadLetters: readonly { service: string; eventId: string; reason: string }[]
}

/** From which state a row leads to which: `delivered` and `dead` are left by a replay alone. */
const steps: Record<string, Record<string, string>> = {
  none: { scheduled: 'pending' },
  pending: { ...attempts('pending'), ended: 'dead' },
  retry: { ...attempts('retry'), exhausted: 'dead', ended: 'dead', replay_requested: 'replay' },
  replay: { ...attempts('replay'), ended: 'dead' },
  delivered: { replay_requested: 'replay' },
  dead: { replay_requested: 'replay' },
}

/** `released`: the state of a delivery whose attempt was given back. */
function attempts(released: string): Record<string, string> {
  return {
    attempt_succeeded: 'delivered',
    attempt_failed: 'retry',
    attempt_unknown: 'retry',
    attempt_released: released,
  }
}

/** One sentence for each breach; none when all is well. */
export function storeBreachesOf(history: StoreHistory): string[] {
  return [...streamBreaches(history), ...stepBreaches(history), ...deadLetterBreaches(history)]
}

function streamBreaches({ stream }: StoreHistory): string[] {
  return [...Map.groupBy(stream, ({ streamId }) => streamId)].flatMap(([id, mine]) => [
    ...mine
      .filter(({ version }, nth) => version !== nth + 1)
      .slice(0, 1)
      .map(({ version }, nth) => `I13: ${id} has the version ${version} for ${nth + 1}`),
    ...mine
      .filter(({ createdMs }, nth) => createdMs < (mine[nth - 1]?.createdMs ?? 0))
      .map(({ version }) => `I13: version ${version} of ${id} is older than the one before it`),
  ])
}

function stepBreaches({ log, states }: StoreHistory): string[] {
  const logged = new Set(log.map(({ deliveryId }) => deliveryId))
  const silent = [...states]
    .filter(([id]) => !logged.has(id))
    .map(([id, state]) => `I16: ${id} is ${state} without a log`)
  const stepped = [...Map.groupBy(log, ({ deliveryId }) => deliveryId)].flatMap(([id, rows]) => {
    const breaches: string[] = []
    let [state, epoch] = ['none', 1]
    for (const row of rows) {
      const next = steps[state]?.[row.kind]
      const isEnd = state === 'delivered' || state === 'dead'
      if (next === undefined) breaches.push(`${isEnd ? 'I6' : 'I16'}: ${id}: ${row.kind} while ${state}`)
      epoch += row.kind === 'replay_requested' ? 1 : 0
      if (row.epoch !== epoch) breaches.push(`I6: ${id}: ${row.kind} of epoch ${row.epoch} in epoch ${epoch}`)
      if (next === 'dead' && row.reason === null) breaches.push(`I16: ${id} is dead without a reason`)
      state = next ?? state
    }
    if (breaches.length === 0 && states.get(id) !== state)
      breaches.push(`I16: ${id} stands as ${states.get(id)}, its log says ${state}`)
    return breaches
  })
  return [...silent, ...stepped]
}

function deadLetterBreaches({ announced, takenIn, deadLetters }: StoreHistory): string[] {
  const ofDelivery = deadLetters.filter(({ service }) => service === 'delivery')
  const aside = new Set(ofDelivery.map(({ eventId }) => eventId))
  return [
    ...[...new Set(announced)]
      .filter((id) => !takenIn.has(id) && !aside.has(id))
      .map((id) => `I23: ${id} was neither taken in nor put aside by delivery`),
    ...deadLetters
      .filter(({ reason }) => reason === '')
      .map(({ service, eventId }) => `I23: ${eventId} was put aside unexplained by ${service}`),
  ]
}

/** How far a consumer has come in a partition: the offset of the last record that took effect. Its name begins with that of its service. */
export interface Position {
  consumer: string
  topic: string
  partition: number
  off: string
}

export interface PositionHistory {
  /** Those that consume. */
  services: readonly string[]
  positions: readonly Position[]
  /** Of each topic, by partition, the offset of its last record; -1: it has none. */
  ends: ReadonlyMap<string, ReadonlyMap<number, bigint>>
}

/** One sentence for each partition in which somebody is behind, also one without a position. */
export function positionBreachesOf({ services, positions, ends }: PositionHistory): string[] {
  const silent = services.filter((service) => !positions.some(({ consumer }) => consumer.startsWith(`${service}.`)))
  return [
    ...silent.map((service) => `I14: no consumer of ${service} has a position`),
    ...[...Map.groupBy(positions, ({ consumer, topic }) => `${consumer} ${topic}`)].flatMap(([name, rows]) =>
      [...(ends.get(rows[0]?.topic ?? '') ?? [])].flatMap(([partition, end]) => {
        const off = BigInt(rows.find((row) => row.partition === partition)?.off ?? -1)
        return off < end ? [`I14: ${name}/${partition} is at ${off}, the log ended at ${end}`] : []
      }),
    ),
  ]
}
