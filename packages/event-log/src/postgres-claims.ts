// The SQL by which the members of a group share partitions in Postgres: presence, claims with SKIP LOCKED, leases and
// epochs (stack.md 6). A claim that was taken over must never be renewed or written by its former holder.
import type { Pool } from '@wds/postgres/pool'
import type { ProcessLock } from './postgres-wakeup.ts'

export interface Claim {
  topic: string
  partition: number
  epoch: string
}

/** A claim that is held, with how far its holder is. */
export interface HeldClaim {
  claim: Claim
  /** Offset of the last record that took effect; null while it is unknown. */
  position: bigint | null
}

export interface Member {
  group: string
  memberId: string
  topics: string[]
  leaseMs: number
}

/** Makes the claim rows of the group's topics, free. */
export async function makeClaims(pool: Pool, member: Member, partitions: number): Promise<void> {
  await pool.query(
    `insert into log.claims (group_name, topic, partition) select $1, t, p
      from unnest($2::text[]) t cross join generate_series(0, $3::integer - 1) p
      where not exists (select from log.claims c where c.group_name = $1 and c.topic = t and c.partition = p)
      order by t, p on conflict do nothing`,
    [member.group, member.topics, partitions],
  )
}

/**
 * Heartbeat of this member; returns the ids of all live members by topic, sorted. One whose process has ended is taken off the list: its
 * lock can be had. One that lives all the same, cut off from the database for a moment, comes back with its next heartbeat.
 */
export async function refreshMembership(pool: Pool, member: Member, lock: ProcessLock): Promise<Map<string, string[]>> {
  await pool.query({
    name: 'log-member-alive',
    text: `insert into log.members (group_name, member_id, topics, expires_at, session)
      values ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond', $5)
      on conflict (group_name, member_id) do update set topics = excluded.topics, expires_at = excluded.expires_at,
        session = excluded.session`,
    values: [member.group, member.memberId, member.topics, member.leaseMs, lock.isHeld ? lock.key : null],
  })
  await pool.query({
    name: 'log-members-gone',
    text: `delete from log.members where group_name = $1 and member_id = any(array(
        select o.member_id from (
          select member_id, session from log.members where group_name = $1 and member_id <> $2 and session is not null offset 0) o
        where pg_try_advisory_xact_lock(o.session)))`,
    values: [member.group, member.memberId],
  })
  const { rows } = await pool.query<{ member_id: string; topics: string[] }>({
    name: 'log-members',
    text: `select member_id, topics from log.members where group_name = $1 and expires_at > clock_timestamp()
      order by member_id`,
    values: [member.group],
  })
  return new Map(
    member.topics.map((topic) => [topic, rows.filter((r) => r.topics.includes(topic)).map((r) => r.member_id)]),
  )
}

/**
 * Lengthens the leases of the given claims, notes how far each is (for relays, display and the drop of old days) and gives those
 * that are still this member's.
 */
export async function renewClaims(pool: Pool, member: Member, held: HeldClaim[]): Promise<Claim[]> {
  if (held.length === 0) return []
  const { rows } = await pool.query<Claim>({
    name: 'log-claims-renew',
    text: `with mine as (
        select c.group_name, c.topic, c.partition, u.off from log.claims c
        join unnest($3::text[], $4::integer[], $5::bigint[], $6::bigint[]) as u(topic, partition, epoch, off)
          on c.topic = u.topic and c.partition = u.partition and c.epoch = u.epoch
        where c.group_name = $1 and c.member_id = $2
        order by c.topic, c.partition for update of c)
      update log.claims c set lease_until = clock_timestamp() + $7 * interval '1 millisecond', off = coalesce(m.off, c.off)
      from mine m
      where c.group_name = m.group_name and c.topic = m.topic and c.partition = m.partition and c.member_id = $2
      returning c.topic, c.partition, c.epoch`,
    values: [member.group, member.memberId, ...columns(held), member.leaseMs],
  })
  return rows
}

/** Claims up to `most` partitions of a topic that are free, or whose member is gone; the epoch of each rises. */
export async function takeClaims(pool: Pool, member: Member, topic: string, most: number): Promise<Claim[]> {
  const { rows } = await pool.query<Claim>({
    name: 'log-claims-take',
    text: `with free as materialized (
        select partition from log.claims c
        where group_name = $1 and topic = $3 and (member_id is null or lease_until < clock_timestamp() or not exists (
          select from log.members m where m.group_name = c.group_name and m.member_id = c.member_id))
        order by partition limit $4 for update skip locked)
      update log.claims c set member_id = $2, epoch = c.epoch + 1,
        lease_until = clock_timestamp() + $5 * interval '1 millisecond'
      from free f where c.group_name = $1 and c.topic = $3 and c.partition = f.partition
      returning c.topic, c.partition, c.epoch`,
    values: [member.group, member.memberId, topic, most, member.leaseMs],
  })
  return rows
}

/** Gives claims back, with how far each is. */
export async function releaseClaims(pool: Pool, member: Member, held: HeldClaim[]): Promise<void> {
  if (held.length === 0) return
  await pool.query(
    `update log.claims c set member_id = null, lease_until = '-infinity', off = coalesce(u.off, c.off)
      from unnest($3::text[], $4::integer[], $5::bigint[], $6::bigint[]) as u(topic, partition, epoch, off)
      where c.group_name = $1 and c.member_id = $2 and c.topic = u.topic and c.partition = u.partition
        and c.epoch = u.epoch`,
    [member.group, member.memberId, ...columns(held)],
  )
}

/** The positions that the members of a group last reported, by partition of a topic. The primary key serves it. */
export async function committedOffsets(pool: Pool, topic: string, group: string): Promise<Map<number, bigint>> {
  const { rows } = await pool.query<{ partition: number; off: string }>({
    name: 'log-taken-in',
    text: 'select partition, off from log.claims where group_name = $1 and topic = $2',
    values: [group, topic],
  })
  return new Map(rows.map(({ partition, off }) => [partition, BigInt(off)]))
}

/** Takes the member off the group's list. */
export async function leaveGroup(pool: Pool, member: Member): Promise<void> {
  await pool.query(
    'delete from log.members where group_name = $1 and (member_id = $2 or expires_at < clock_timestamp())',
    [member.group, member.memberId],
  )
}

function columns(held: HeldClaim[]): [string[], number[], string[], (bigint | null)[]] {
  return [
    held.map(({ claim }) => claim.topic),
    held.map(({ claim }) => claim.partition),
    held.map(({ claim }) => claim.epoch),
    held.map(({ position }) => position),
  ]
}
