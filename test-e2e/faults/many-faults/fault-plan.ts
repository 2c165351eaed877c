/** Which fault comes when, and which replay is asked for amid it, by a seed alone: the same seed gives the same in the same order. */
import { Simulation } from '@wds/decider/simulation'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import type { LogName } from '../rig/rig.ts'

/** What is done, in the words of the report; of how many in 50 (60 on Kafka), and how long it lasts at most, ms. 0: it is over at once. */
const kinds = {
  'service killed': { weight: 8, mostMs: 0, on: 'both' },
  'all services killed at once': { weight: 1, mostMs: 0, on: 'both' },
  'service stopped, then continued': { weight: 7, mostMs: 7_000, on: 'both' },
  'every connection of a service to its database cut': { weight: 5, mostMs: 0, on: 'both' },
  'one connection ended by the database': { weight: 4, mostMs: 0, on: 'both' },
  'database of a service refuses connections': { weight: 4, mostMs: 3_000, on: 'both' },
  'database of a service takes everything and says nothing': { weight: 3, mostMs: 4_000, on: 'both' },
  'answers of the database of a service get lost': { weight: 3, mostMs: 3_000, on: 'both' },
  'slow disk: each commit of the database waits 100 ms': { weight: 3, mostMs: 4_000, on: 'both' },
  'Postgres killed': { weight: 1, mostMs: 2_000, on: 'both' },
  'receiver hangs': { weight: 3, mostMs: 2_500, on: 'both' },
  'callers gone before their answer': { weight: 4, mostMs: 0, on: 'both' },
  'records in the log that nobody can read': { weight: 4, mostMs: 0, on: 'both' },
  'every connection to the broker cut': { weight: 3, mostMs: 0, on: 'Kafka' },
  'broker refuses connections': { weight: 2, mostMs: 3_000, on: 'Kafka' },
  'broker takes everything and says nothing': { weight: 2, mostMs: 4_000, on: 'Kafka' },
  'answers of the broker get lost': { weight: 1, mostMs: 3_000, on: 'Kafka' },
  'broker stopped, then continued': { weight: 1, mostMs: 4_000, on: 'Kafka' },
  'broker killed': { weight: 1, mostMs: 2_000, on: 'Kafka' },
} as const

export type FaultKind = keyof typeof kinds
export const faultKinds: readonly FaultKind[] = Object.keys(kinds) as FaultKind[]

export interface PlannedFault {
  kind: FaultKind
  /** Whom it meets, where it meets one. */
  service: ServiceName
  forMs: number
}

/** Each kind once at first, in an order of the seed; then by their weights. */
export function planFaults(o: { seed: number; count: number; log: LogName }): PlannedFault[] {
  const random = new Simulation({ seed: o.seed, startMs: 0 })
  const possible = faultKinds.filter((kind) => kinds[kind].on === 'both' || kinds[kind].on === o.log)
  const weighted = possible.flatMap((kind) => Array.from({ length: kinds[kind].weight }, () => kind))
  const first = possible.map((kind) => ({ kind, at: random.random() })).sort((a, b) => a.at - b.at)
  return Array.from({ length: o.count }, (_, nth) => {
    const kind = first[nth]?.kind ?? random.pick(weighted)
    const { mostMs } = kinds[kind]
    return { kind, service: random.pick(serviceNames), forMs: mostMs === 0 ? 0 : random.integer(200, mostMs) }
  })
}

/** What of the API is asked for, in the words of its routes. */
const replayRoutes = [
  'retry of a delivery',
  'deliveries of a subscription',
  'deliveries of the workspace',
  'period of a subscription',
] as const

/** A replay that is asked for amid a fault. */
export interface PlannedReplay {
  route: (typeof replayRoutes)[number]
  /** So long after the fault began, ms. */
  afterMs: number
  /** The caller is gone so long after its request, and never asks again, ms; null: it asks with its key until somebody answers. */
  goneAfterMs: number | null
  /** It asks once more with its key, once it was answered. */
  isAskedAgain: boolean
}

/** One for each fault. The numbers of the faults are not taken from, so that a known seed gives the faults that it gave. */
export function planReplays(o: { seed: number; count: number }): PlannedReplay[] {
  const random = new Simulation({ seed: o.seed ^ 0x5e9a7, startMs: 0 })
  return Array.from({ length: o.count }, () => {
    const [route, afterMs] = [random.pick([...replayRoutes]), random.integer(0, 600)]
    const goneAfterMs = random.integer(1, 40)
    const [isGone, isAskedAgain] = [random.chance(0.2), random.chance(0.5)]
    return { route, afterMs, goneAfterMs: isGone ? goneAfterMs : null, isAskedAgain: !isGone && isAskedAgain }
  })
}
