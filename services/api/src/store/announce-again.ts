// Makes the announcement of a stored event once more, as `carryOut` made it: for `republish` after the log lost records.
import type { Announcement } from '@wds/event-store/event-store'
import type { StoredEvent, StoredStream } from '@wds/event-store/republish'
import { type AggregateKind, announcement } from './aggregate.ts'
import { importKind, integrationKind, syncRunKind } from './kinds.ts'

type Again = (stored: StoredEvent, stream: StoredStream) => Announcement[]

/** Announcements of one kind. The state is the one after the event's append, as it was then. */
function ofKind<S, C, E extends { type: string; data: object }, R>(kind: AggregateKind<S, C, E, R>): [string, Again] {
  const toEvent = ({ type, data }: StoredEvent): E => ({ type, data }) as E
  const again: Again = (stored, { workspaceId, streamId, events }) => {
    const state = events.reduce(
      (folded, event) => kind.decider.evolve(folded, toEvent(event)),
      kind.decider.initialState,
    )
    const found = kind.toPublic(streamId, state, toEvent(stored))
    return found === null ? [] : [announcement(workspaceId, found, stored)]
  }
  return [kind.streamType, again]
}

const kinds = new Map([ofKind(integrationKind), ofKind(syncRunKind), ofKind(importKind)])

/** None for an event that is not public. */
export const announceAgain: Again = (stored, stream) => kinds.get(stream.streamType)?.(stored, stream) ?? []
