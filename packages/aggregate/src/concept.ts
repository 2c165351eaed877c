// Puts a service together from its concepts: its routes, and what `republish` announces again. It never knows a concept by name.
import type { Announcement } from '@wds/event-store/event-store'
import type { StoredEvent, StoredStream } from '@wds/event-store/republish'
import type { Cursors } from '@wds/http-service/cursor'
import type { Route } from '@wds/http-service/route'
import type { AggregateEvent, AggregateState, AnyAggregate } from './aggregate.ts'
import { list } from './list.ts'
import { type AnyResource, change, create, type Resource, read, remove, type SettingsResource } from './resource.ts'

/** One concept of a service, a line of its `resources.ts`. `D`: what the service's routes are built with. */
export interface Concept<D> {
  aggregate?: AnyAggregate
  routes(o: D): Route[]
}

/** Every route of a service; its openapi.yaml says the same, compared at start. */
export function routesOf<D>(concepts: readonly Concept<D>[], o: D): Route[] {
  return concepts.flatMap(({ routes }) => routes(o))
}

/** A concept with a resource: the routes that follow from its declaration, then its own. */
export function concept<
  S extends AggregateState,
  C,
  E extends AggregateEvent,
  R,
  A extends object,
  D extends { cursors: Cursors },
>(
  resource: Resource<S, C, E, R, A> | SettingsResource<S, C, E, R, A>,
  ownRoutes: (o: D) => Route[] = () => [],
): Concept<D> {
  const access =
    'scopes' in resource
      ? { read: { scope: resource.scopes.read }, write: { scope: resource.scopes.write } }
      : { read: { session: resource.rights.read }, write: { session: resource.rights.write } }
  return { aggregate: resource, routes: (o) => [...declaredRoutes(resource, access, o.cursors), ...ownRoutes(o)] }
}

function declaredRoutes<S extends AggregateState, C, E extends AggregateEvent, R, A extends object>(
  resource: AnyResource<S, C, E, R, A>,
  access: Record<'read' | 'write', Pick<Route, 'scope' | 'session'>>,
  cursors: Cursors,
): Route[] {
  const { path, create: creating, patch: patching, delete: deleting } = resource
  const one = `${path}/{id}`
  const routes: Route[] = [
    {
      ...access.read,
      method: 'GET',
      path,
      filters: Object.keys(resource.filters),
      handle: (request) => resource.list?.(request, { cursors }) ?? list(request, resource, { cursors }),
    },
    { ...access.read, method: 'GET', path: one, handle: (request) => read(request, resource) },
  ]
  if (creating)
    routes.push({ ...access.write, method: 'POST', path, handle: (request) => create(request, resource, creating) })
  if (patching) {
    const handle: Route['handle'] = async (request) => change(request, resource, await patching(request))
    routes.push({ ...access.write, method: 'PATCH', path: one, handle })
  }
  if (deleting) {
    const handle: Route['handle'] = async (request) => remove(request, resource, await deleting(request))
    routes.push({ ...access.write, method: 'DELETE', path: one, handle })
  }
  return routes
}

/** The aggregates of a service, for `rebuild-rows`: in the order of its concepts. */
export function aggregatesOf(concepts: readonly Pick<Concept<never>, 'aggregate'>[]): AnyAggregate[] {
  return concepts.flatMap(({ aggregate }) => (aggregate === undefined ? [] : [aggregate]))
}

/** Announces a stored event once more, as `execute` did: for `republish` after the log lost records. */
export function announceAgain(
  concepts: readonly Pick<Concept<never>, 'aggregate'>[],
): (stored: StoredEvent, stream: StoredStream) => Announcement[] {
  const known = new Map(concepts.flatMap(({ aggregate }) => (aggregate ? [[aggregate.streamType, aggregate]] : [])))
  return (stored, { workspaceId, streamType, streamId, events, later }) => {
    const aggregate = known.get(streamType)
    if (aggregate === undefined) return []
    const { decider } = aggregate
    // The state after the event's append, as it was then.
    const state = events.map(toEvent).reduce((folded, event) => decider.evolve(folded, event), decider.initialState)
    const { eventId, created } = stored
    return aggregate.announce?.(toEvent(stored), { workspaceId, id: streamId, state, eventId, created, later }) ?? []
  }
}

function toEvent({ type, data }: StoredEvent): AggregateEvent {
  return { type, data: data as object }
}
