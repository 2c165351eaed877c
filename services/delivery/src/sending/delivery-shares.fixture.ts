// For tests: what has to hold of the attempts that a worker has under way after each of its claims (stack.md 7.5, 7.6), judged from what it
// claimed and when, with no help of the core: which attempts took spare slots is noted here.
import { limits } from './delivery-acts.fixture.ts'
import { hold } from './delivery-oracle.fixture.ts'
import type { AttemptUnderWay } from './domain/fair-share.ts'
import type { Lease } from './lane-store.fixture.ts'

const slowAfterMs = 1_000
const workspaceOf = (lease: Lease): string => lease.delivery.lane.workspaceId

export class SharesJudge {
  readonly #spare = new WeakSet<Lease>()

  /** `claimed` is under way already. */
  judge(underWay: ReadonlyMap<Lease, AttemptUnderWay>, claimed: readonly Lease[], nowMs: number): void {
    if (claimed.length === 0) return
    const isOld = (lease: Lease) => nowMs - (underWay.get(lease)?.startedMs ?? nowMs) > slowAfterMs
    const all = [...underWay.keys()]
    const before = all.filter((lease) => !claimed.includes(lease))
    const taken = before.filter((lease) => !isOld(lease)).length
    if (taken < limits.slots) hold(taken + claimed.length <= limits.slots, 'isolation: more attempts than slots')
    else this.#judgeSpare(claimed, { before, isOld })
    const isSlow = (lease: Lease) => isOld(lease) || lease.slow
    for (const workspaceId of new Set(claimed.map(workspaceOf))) {
      const mine = all.filter((lease) => workspaceOf(lease) === workspaceId)
      const young = mine.filter((lease) => !isOld(lease)).length
      hold(young <= limits.workspaceShare, `isolation: ${young} slots of one workspace`)
      const isOfSlow = claimed.some((lease) => lease.slow && workspaceOf(lease) === workspaceId)
      const slow = mine.filter(isSlow).length
      hold(!isOfSlow || slow <= limits.slowPerWorkspace, `isolation: ${slow} attempts of slow lanes of one workspace`)
    }
    if (!claimed.some((one) => one.slow)) return
    let slow = 0
    for (const some of Map.groupBy(all.filter(isSlow), workspaceOf).values())
      slow += Math.min(some.length, limits.slowPerWorkspace)
    // Attempts that became old leave some to slow lanes.
    const kept = all.filter((lease) => lease.slow).length <= limits.slowPerWorkspace
    hold(kept || slow <= limits.slowShare, `isolation: ${slow} attempts of slow lanes`)
  }

  /** No slot was free. */
  #judgeSpare(claimed: readonly Lease[], o: { before: readonly Lease[]; isOld(lease: Lease): boolean }): void {
    for (const lease of claimed) this.#spare.add(lease)
    hold(!claimed.some(({ slow }) => slow), 'isolation: a spare slot for a slow lane')
    const busy = new Set(o.before.map(({ delivery }) => delivery.lane))
    const isBusy = claimed.some(({ delivery }) => busy.has(delivery.lane))
    hold(!isBusy, 'isolation: a spare slot for a lane that has something under way')
    for (const some of Map.groupBy(claimed, workspaceOf).values())
      hold(some.length <= limits.sparePerClaim, 'isolation: spare slots of one workspace in one claim')
    const spare = [...o.before, ...claimed].filter((lease) => this.#spare.has(lease) && !o.isOld(lease))
    hold(spare.length <= limits.spareSlots, 'isolation: more attempts than spare slots')
    for (const some of Map.groupBy(spare, workspaceOf).values())
      hold(some.length <= limits.sparePerWorkspace, 'isolation: spare slots of one workspace at a time')
  }
}
