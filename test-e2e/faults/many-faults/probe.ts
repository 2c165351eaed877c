/** What is asked for to see that the system works: a change, from its call until it is at the receiver. */
import { randomBytes } from 'node:crypto'
import { eventually } from '../../harness/standalone.ts'
import { changeTo } from '../rig/load.ts'
import type { FaultPlace } from './inject-fault.ts'

/** reliability.md 3 has 60 s. A machine that others use takes longer: the report tells how long, and this is never. */
const worksWithinMs = 300_000

/** So many, one after the other; ms of each. */
export async function probes(place: FaultPlace, count: number): Promise<number[]> {
  const tookMs: number[] = []
  while (tookMs.length < count) tookMs.push(await probe(place))
  return tookMs
}

/** A change that is answered with 200 is at the receiver; gives how long that takes from now. */
export async function probe({ rig, integrationId, writes }: FaultPlace): Promise<number> {
  const started = performance.now()
  let asked = 0
  const before = await rig.receiver.count()
  const traceId = randomBytes(16).toString('hex')
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` }
  await eventually(
    'a change is answered with 200',
    async () => {
      const at = Date.now()
      // Another one each time: one that was answered too late takes effect after the next one, maybe.
      asked += 1
      const name = `probe ${asked} ${traceId.slice(0, 20)}`
      const json = changeTo(name)
      const answer = await rig
        .client(`/v1/integrations/${integrationId}`, { method: 'PATCH', json, headers })
        .catch(() => null)
      writes.push({ integrationId, name, status: answer?.status ?? 0, headers: null, at, tookMs: Date.now() - at })
      return answer?.status === 200
    },
    worksWithinMs,
  )
  const hasArrived = async () => (await rig.receiver.arrivals(before)).some(([, , trace]) => trace === traceId)
  await eventually('it is at the receiver', hasArrived, worksWithinMs)
  return performance.now() - started
}
