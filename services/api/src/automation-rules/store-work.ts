// When rules look at their subjects, and the evaluations that are to fire: rows that the worker takes in turn over workspaces.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { deferDue, setDue } from '../work-queue/store-due-rows.ts'
import { takeInTurn } from '../work-queue/store-turns.ts'
import type { Begun } from './domain/firing.ts'

const ticks = { table: 'automation_ticks', column: 'rule_id' } as const

/** Sets the next tick of a rule, or takes it away. */
export const setTick = (tx: Transaction, o: { ruleId: string; atMs: number | null }) =>
  setDue(tx, ticks, { id: o.ruleId, atMs: o.atMs })

export interface Tick {
  workspaceId: string
  ruleId: string
  /** The planned instant, epoch milliseconds. */
  dueMs: number
}

/** A rule whose tick has come, of each workspace in turn, the oldest first. The index automation_ticks_due and the primary key serve it. */
export function takeTick(tx: Transaction, after: string): Promise<Tick | null> {
  const oldestOf = async (tx: Transaction, workspaceId: string) => {
    const { rows } = await tx.query<{ rule_id: string; due_ms: string }>(
      `select rule_id, (extract(epoch from due) * 1000)::bigint::text as due_ms from automation_ticks
       where workspace_id = $1 and due <= app_now() order by due, rule_id limit 1`,
      [workspaceId],
    )
    return rows[0] ? { workspaceId, ruleId: rows[0].rule_id, dueMs: Number(rows[0].due_ms) } : null
  }
  return takeInTurn(tx, { table: 'automation_ticks', lock: 'automation', oldestOf }, after)
}

export const deferTick = (tx: Transaction, { workspaceId, ruleId }: Tick, waitMs: number) =>
  deferDue(tx, ticks, { workspaceId, id: ruleId, waitMs })

/** A subject that met a rule's conditions, until it is decided whether the rule fires for it. */
export interface Evaluation {
  workspaceId: string
  ruleId: string
  key: string
  ruleVersion: number
  subjectId: string
  /** Rules that what triggered it came through. */
  depth: number
  /** That was closed, where such an event triggered it. */
  month: string | null
  /** How often it could not be carried out, since it last got on. */
  tries: number
  /** What its firing has done in turns before this one; null: it has not begun. */
  begun: Begun | null
}

/** One of each key, however often it is asked for, due in the order given. Primary key of automation_work. */
export async function putEvaluations(
  tx: Transaction,
  found: readonly Omit<Evaluation, 'workspaceId' | 'tries' | 'begun'>[],
): Promise<void> {
  if (found.length === 0) return
  await tx.query(
    `insert into automation_work (workspace_id, rule_id, evaluation_key, rule_version, subject_id, depth, month, due)
     select $1, u.rule_id, u.key, u.version, u.subject, u.depth, u.month, app_now() + u.place * interval '1 microsecond'
     from unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::smallint[], $7::text[]) with ordinality
       as u(rule_id, key, version, subject, depth, month, place)
     on conflict (workspace_id, rule_id, evaluation_key) do nothing`,
    [
      ...[workspaceOf(tx), found.map(({ ruleId }) => ruleId), found.map(({ key }) => key)],
      ...[found.map(({ ruleVersion }) => ruleVersion), found.map(({ subjectId }) => subjectId)],
      ...[found.map(({ depth }) => depth), found.map(({ month }) => month)],
    ],
  )
}

/** Keys of the evaluations that wait, by rule. The primary key serves it. */
export async function readWaiting(tx: Transaction, ruleIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const { rows } = await tx.query<{ rule_id: string; keys: string[] }>(
    `select rule_id, array_agg(evaluation_key) as keys from automation_work where workspace_id = $1 and rule_id = any($2)
     group by rule_id`,
    [workspaceOf(tx), ruleIds],
  )
  return new Map(rows.map(({ rule_id, keys }) => [rule_id, new Set(keys)]))
}

/**
 * An evaluation that is due, of each workspace in turn, the oldest first. While one of a rule goes on, no other of it begins: of months that
 * closed together, a brand's later one would be billed first. The index automation_work_due and the primary key serve it.
 */
export function takeEvaluation(tx: Transaction, after: string): Promise<Evaluation | null> {
  const oldestOf = async (tx: Transaction, workspaceId: string) => {
    const { rows } = await tx.query<Omit<Evaluation, 'workspaceId'>>(
      `select rule_id as "ruleId", evaluation_key as key, rule_version as "ruleVersion", subject_id as "subjectId", depth, month, tries,
         progress as begun
       from automation_work where workspace_id = $1 and due <= app_now() and (progress is not null or rule_id <> all(array(
         select rule_id from automation_work where workspace_id = $1 and progress is not null)))
       order by due, evaluation_key limit 1`,
      [workspaceId],
    )
    return rows[0] ? { workspaceId, ...rows[0] } : null
  }
  return takeInTurn(tx, { table: 'automation_work', lock: 'automation', oldestOf }, after)
}

export async function endEvaluation(tx: Transaction, { workspaceId, ruleId, key }: Evaluation): Promise<void> {
  await tx.query('delete from automation_work where workspace_id = $1 and rule_id = $2 and evaluation_key = $3', [
    ...[workspaceId, ruleId, key],
  ])
}

/** One that was ended goes on in another turn, behind what else the workspace has due. */
export async function continueEvaluation(tx: Transaction, o: Evaluation, begun: Begun): Promise<void> {
  await tx.query(
    `insert into automation_work (workspace_id, rule_id, evaluation_key, rule_version, subject_id, depth, month, progress, due)
     values ($1, $2, $3, $4, $5, $6, $7, $8, app_now())`,
    [o.workspaceId, o.ruleId, o.key, o.ruleVersion, o.subjectId, o.depth, o.month, JSON.stringify(begun)],
  )
}

/** Tries it again later. */
export async function deferEvaluation(tx: Transaction, o: Evaluation, waitMs: number): Promise<void> {
  await tx.query(
    `update automation_work set tries = tries + 1, due = app_now() + $4::float8 * interval '1 millisecond'
     where workspace_id = $1 and rule_id = $2 and evaluation_key = $3`,
    [o.workspaceId, o.ruleId, o.key, waitMs],
  )
}
