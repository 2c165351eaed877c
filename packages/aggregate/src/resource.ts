// What the HTTP API makes of an aggregate: read, list, create, patch, delete and actions, each judged in the same order: 404,
// If-Match, the command, its refusal. It never decides about business; commands come from the declaration, refusals from the decider.

import type { Right } from '@wds/contracts/roles'
import type { Scope } from '@wds/contracts/scopes'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { InvalidState } from '@wds/decider/decider'
import { dbNow } from '@wds/event-store/event-store'
import { hasScope, insufficientScope } from '@wds/http-service/bearer'
import { requireMatch } from '@wds/http-service/conditional'
import type { Cursors } from '@wds/http-service/cursor'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest, RequestClient } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import {
  type Aggregate,
  type AggregateEvent,
  type AggregateState,
  blank,
  execute,
  type Loaded,
  load,
} from './aggregate.ts'
import { heldOf, type Listed } from './list.ts'

/** The command for what was loaded (or is new), inside the transaction. It runs again when the transaction does. */
export type MakeCommand<S, C> = (tx: Transaction, found: Loaded<S>) => C | Promise<C>

/** What needs no transaction is judged before it. The body of a PATCH is read in it: 404 comes before 422. */
type Prepared<S, C> = MakeCommand<S, C> | Promise<MakeCommand<S, C>>

/** An aggregate with its place in the API, declared once. What is left out has no route. `A`: how the API shows it, as its OpenAPI file says. */
export interface AnyResource<S extends AggregateState, C, E extends AggregateEvent, R, A extends object>
  extends Aggregate<S, C, E, R>,
    Omit<Listed<S, A>, 'decider'> {
  /** `/v1/integrations`: the list; `{path}/{id}`: one of them. */
  path: string
  /** GET of the path, where a list shows less than one of them alone; else `list` of the resource. */
  list?(request: ApiRequest, o: { cursors: Cursors }): Promise<ApiAnswer>
  /** POST to the path: 201 with Location. */
  create?(request: ApiRequest): Prepared<S, C>
  /** PATCH: `mergePatch` gives what it changes. */
  patch?(request: ApiRequest): Prepared<S, C>
  /** DELETE: 204. A resource whose status is `deleted` is not found any more. */
  delete?(request: ApiRequest): Prepared<S, C>
  /** Money: who changes it says which version they saw, else 428 (C41). */
  isMatchRequired?: boolean
  /** Locks that come before the row's own. `seen` was read without a lock. */
  lockFirst?(tx: Transaction, seen: Loaded<S>): Promise<void>
  /** Answers to refusals other than `invalid_state` and `not_found`. */
  toProblem?(rejection: R): Problem
}

/** A resource that tokens with these scopes may use; 'any' where `scopeBy` says which scope each row asks for. */
export interface Resource<S extends AggregateState, C, E extends AggregateEvent, R, A extends object>
  extends AnyResource<S, C, E, R, A> {
  scopes: { read: Scope | 'any'; write: Scope | 'any' }
}

/** A resource of the settings API: signed-in people whose role has these rights may use it. */
export interface SettingsResource<S extends AggregateState, C, E extends AggregateEvent, R, A extends object>
  extends AnyResource<S, C, E, R, A> {
  rights: { read: Right; write: Right }
}

/** 409 `invalid_state` with what would be allowed (C23), in words as well. `detail`: what to do about it, where that says too little. */
export function invalidState({ current_status, allowed }: InvalidState, detail?: string): Problem {
  const offered =
    allowed.length === 0 ? 'none of its actions is possible' : `what is possible now: ${allowed.join(', ')}`
  const members = { current_status, allowed }
  return new Problem('invalid_state', { members, detail: detail ?? `It is ${current_status}; ${offered}.` })
}

/** The aggregate, or 404. */
export async function loadOr404<S extends AggregateState>(
  tx: Transaction,
  aggregate: Parameters<typeof load<S>>[1],
  id: string,
  o: { lock: boolean } = { lock: false },
): Promise<Loaded<S>> {
  const found = await load(tx, aggregate, id, o)
  if (found === null || found.state.status === 'deleted') throw new Problem('not_found')
  return found
}

/** The answer that shows a resource. */
interface Shown<A extends object> {
  status: 200
  body: A
  version: number
  isLive?: boolean
  holdsSecret?: boolean
}

/** What a command does besides. `M`: members that its answer alone shows beside those of the resource, a secret; null for none. */
export interface Besides<S, M extends object | null> {
  /** Behind the command, in its transaction. */
  after?(tx: Transaction, changed: Loaded<S>): Promise<void>
  /** Called last, in the transaction. */
  shownOnce?(): M
}

/** The body of such an answer. Where there may be no such members, they are optional ones of the resource. */
type With<A, M> = null extends M ? A : A & M

function withShownOnce<S, A extends object, M extends object | null>(
  answer: Shown<A>,
  { shownOnce }: Besides<S, M>,
): Shown<With<A, M> & object> {
  const members = shownOnce?.() ?? null
  const shown = members === null ? answer : { ...answer, body: { ...answer.body, ...members }, holdsSecret: true }
  return shown as Shown<With<A, M> & object>
}

/** GET of one. */
export function read<S extends AggregateState, A extends object>(
  request: ApiRequest,
  resource: Listed<S, A>,
): Promise<Shown<A>> {
  return request.read(async (tx) => {
    const found = await loadOr404(tx, resource, idOf(request))
    judgeRow(request.client, resource, found.state)
    return answerOf(tx, resource, found)
  })
}

/** Throws Problem `insufficient_scope` where the row asks for a scope that the client has not. */
export function judgeRow<S extends AggregateState>(
  client: RequestClient,
  { scopeBy }: Pick<Listed<S, object>, 'scopeBy'>,
  state: S,
): void {
  const needed = scopeBy?.scopes[scopeBy.valueOf(state)]
  if (needed !== undefined && !hasScope(client, needed)) throw insufficientScope([needed])
}

/** POST of a new one. */
export async function create<
  S extends AggregateState,
  C,
  E extends AggregateEvent,
  R,
  A extends object,
  M extends object | null = null,
>(
  request: ApiRequest,
  resource: AnyResource<S, C, E, R, A>,
  prepare: (request: ApiRequest) => Prepared<NoInfer<S>, NoInfer<C>>,
  o: Besides<NoInfer<S>, M> = {},
) {
  const command = await prepare(request)
  return write(request, async (tx) => {
    const loaded = blank(resource, { nowMs: await dbNow(tx) })
    const created = await carryOut(tx, request, { resource, loaded, command })
    await o.after?.(tx, created)
    const shown = withShownOnce(await answerOf(tx, resource, created), o)
    return { ...shown, status: 201 as const, location: `${resource.path}/${created.id}` }
  })
}

/** PATCH and every action of one: 404, If-Match (C41), the command, and what the action does besides. Answers with the resource. */
export function change<
  S extends AggregateState,
  C,
  E extends AggregateEvent,
  R,
  A extends object,
  M extends object | null = null,
>(
  request: ApiRequest,
  resource: AnyResource<S, C, E, R, A>,
  command: NoInfer<MakeCommand<S, C>>,
  o: Besides<NoInfer<S>, M> = {},
): Promise<Shown<With<A, M> & object>> {
  return write(request, async (tx) => {
    const changed = await changeOne(tx, request, { resource, command })
    await o.after?.(tx, changed)
    return withShownOnce(await answerOf(tx, resource, changed), o)
  })
}

/** DELETE of one, judged as a change. */
export function remove<S extends AggregateState, C, E extends AggregateEvent, R, A extends object>(
  request: ApiRequest,
  resource: AnyResource<S, C, E, R, A>,
  command: NoInfer<MakeCommand<S, C>>,
): Promise<{ status: 204 }> {
  return write(request, async (tx) => {
    await changeOne(tx, request, { resource, command })
    return { status: 204 }
  })
}

/** Keeps the type of the answer: an answer stored for an Idempotency-Key is one that the same route gave before. */
function write<T extends ApiAnswer>(request: ApiRequest, fn: (tx: Transaction) => Promise<T>): Promise<T> {
  return request.write(fn) as Promise<T>
}

async function changeOne<S extends AggregateState, C, E extends AggregateEvent, R, A extends object>(
  tx: Transaction,
  request: ApiRequest,
  { resource, command }: { resource: AnyResource<S, C, E, R, A>; command: MakeCommand<S, C> },
): Promise<Loaded<S>> {
  const id = idOf(request)
  if (resource.lockFirst) await resource.lockFirst(tx, await loadOr404(tx, resource, id))
  const loaded = await loadOr404(tx, resource, id, { lock: true })
  requireMatch(request, loaded.version, { required: resource.isMatchRequired === true })
  return carryOut(tx, request, { resource, loaded, command })
}

async function carryOut<S extends AggregateState, C, E extends AggregateEvent, R, A extends object>(
  tx: Transaction,
  request: ApiRequest,
  o: { resource: AnyResource<S, C, E, R, A>; loaded: Loaded<S>; command: MakeCommand<S, C> },
): Promise<Loaded<S>> {
  const { resource, loaded } = o
  const command = await o.command(tx, loaded)
  const outcome = await execute(tx, resource, { context: request.context, loaded, command })
  if (!outcome.ok) throw problemOf(resource, outcome.error)
  return outcome.value
}

function problemOf<R>(resource: { toProblem?(rejection: R): Problem }, rejection: R): Problem {
  const own = resource.toProblem?.(rejection)
  if (own) return own
  const { code } = rejection as { code?: string }
  if (code === 'invalid_state') return invalidState(rejection as InvalidState)
  if (code === 'not_found') return new Problem('not_found')
  throw new Error(`a refusal without an answer: ${JSON.stringify(rejection)}`)
}

/** 200 with the resource and its version. */
export async function answerOf<S extends AggregateState, A extends object>(
  tx: Transaction,
  resource: Listed<S, A>,
  found: Loaded<S>,
): Promise<Shown<A>> {
  const [body] = await resource.toApi([found], tx)
  if (body === undefined) throw new Error('one row is shown as one')
  const { isLive = false } = resource
  return withoutUndefined({
    status: 200,
    body,
    version: found.version,
    isLive: isLive || undefined,
    ...heldOf(resource),
  })
}

function idOf(request: ApiRequest): string {
  return request.params.id ?? ''
}

/** What each resource shows of itself, once it is stored. */
export function commonFields<O extends string>(object: O, loaded: Loaded<unknown>) {
  const { id, version, createdMs, updatedMs } = loaded
  return { object, id, created: instant(createdMs), updated: instant(updatedMs), version }
}

function instant(ms: number | null): string {
  if (ms === null) throw new Error('only what is stored is shown')
  return new Date(ms).toISOString()
}
