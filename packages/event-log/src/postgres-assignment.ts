// Which partitions a member of a group holds in Postgres: takes claims and gives them back until it has its share, and renews their leases.
// It must never give back a partition whose batch is in progress.
import type { WakeSignal } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { type LogPlace, placeOf } from './places.ts'
import {
  type Claim,
  leaveGroup,
  type Member,
  refreshMembership,
  releaseClaims,
  renewClaims,
  takeClaims,
} from './postgres-claims.ts'
import type { HeldPartition } from './postgres-partition.ts'
import type { ProcessLock } from './postgres-wakeup.ts'

export interface AssignmentOptions {
  pool: Pool
  member: Member
  /** Of each topic. */
  partitions: number
  lock: ProcessLock
  /** Raised when partitions were taken. */
  wake: WakeSignal
  /** Makes a partition of a claim that was taken. */
  hold(claim: Claim, leaseUntil: number): HeldPartition
}

export class Assignment {
  readonly #o: AssignmentOptions
  readonly #held = new Map<string, HeldPartition>()

  constructor(o: AssignmentOptions) {
    this.#o = o
  }

  all(): HeldPartition[] {
    return [...this.#held.values()]
  }

  at(place: LogPlace): HeldPartition | undefined {
    return this.#held.get(placeOf(place))
  }

  /** Tells the others of this member, renews all leases, then takes or gives back; true when it holds exactly its share. */
  async rebalance(): Promise<boolean> {
    const { pool, member, partitions, lock } = this.#o
    await this.renew(this.all())
    const members = await refreshMembership(pool, member, lock)
    let complete = true
    for (const topic of member.topics) {
      const share = shareOf(members.get(topic) ?? [], member.memberId, partitions)
      const mine = this.#of(topic)
      for (const held of mine.slice(share)) held.isReleasing = true
      for (const held of mine.slice(0, share)) held.isReleasing = false
      await this.#giveBack(mine.filter((held) => held.isReleasing && held.work === null))
      if (mine.length < share) await this.#take(topic, share - mine.length)
      complete &&= this.#of(topic).length === share
    }
    return complete
  }

  /** One statement; a partition whose claim was taken over is revoked. */
  async renew(held: HeldPartition[]): Promise<void> {
    const from = performance.now()
    const asked = held.map((one) => ({ one, claim: one.claim, position: one.position }))
    const kept = await renewClaims(this.#o.pool, this.#o.member, asked)
    const claims = new Set(kept.map((claim) => `${placeOf(claim)} ${claim.epoch}`))
    for (const { one, claim, position } of asked) {
      if (claims.has(`${placeOf(claim)} ${claim.epoch}`)) one.renewed(from + this.#o.member.leaseMs, position)
      else this.#drop(one)
    }
  }

  /** Gives back everything once the batches in progress have ended, and leaves the group. */
  async leave(): Promise<void> {
    await Promise.all(this.all().map((held) => held.work))
    const held = this.all()
    this.#held.clear()
    // When the database does not answer, the leases end by themselves.
    await releaseClaims(this.#o.pool, this.#o.member, held).catch(() => undefined)
    await leaveGroup(this.#o.pool, this.#o.member).catch(() => undefined)
  }

  #of(topic: string): HeldPartition[] {
    return this.all().filter(({ claim }) => claim.topic === topic)
  }

  async #take(topic: string, most: number): Promise<void> {
    const from = performance.now()
    for (const claim of await takeClaims(this.#o.pool, this.#o.member, topic, most))
      this.#held.set(placeOf(claim), this.#o.hold(claim, from + this.#o.member.leaseMs))
    this.#o.wake.raise()
  }

  async #giveBack(held: HeldPartition[]): Promise<void> {
    for (const one of held) this.#drop(one)
    await releaseClaims(this.#o.pool, this.#o.member, held)
  }

  #drop(held: HeldPartition): void {
    held.revoke()
    if (this.at(held.claim) === held) this.#held.delete(placeOf(held.claim))
  }
}

/** Members sorted by id take floor(partitions / members) each, the first ones one more. */
export function shareOf(members: string[], memberId: string, partitions: number): number {
  const rank = members.indexOf(memberId)
  if (rank < 0) return 0
  return Math.floor(partitions / members.length) + (rank < partitions % members.length ? 1 : 0)
}
