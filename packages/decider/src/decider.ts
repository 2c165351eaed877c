// Decides the form of a pure core: a state is folded from events, a command is answered with events or a rejection.
// It must never read a clock, randomness or the outside: they come in with the command.

/** Answer to a command: events to append (none means that nothing changes), or one rejection of a closed union. */
export type Decision<Event, Rejection> = { accepted: true; events: Event[] } | { accepted: false; rejection: Rejection }

/** The rejection of a state machine: what the present state does not allow, and what it does (C23). */
export interface InvalidState {
  code: 'invalid_state'
  current_status: string
  allowed: string[]
}

/**
 * State machine of one kind of stream. `evolve` never fails: what was once accepted folds for ever. It names each type and has no
 * default, so an event of a later release gives `undefined`, which who folds stored streams takes for a fault (reliability.md F51).
 */
export interface Decider<State, Command, Event, Rejection> {
  initialState: State
  evolve(state: State, event: Event): State
  decide(state: State, command: Command): Decision<Event, Rejection>
}

/** Accepts a command with these events, in this order. */
export function accept<Event>(...events: Event[]): { accepted: true; events: Event[] } {
  return { accepted: true, events }
}

/** Rejects a command. */
export function reject<Rejection>(rejection: Rejection): { accepted: false; rejection: Rejection } {
  return { accepted: false, rejection }
}

/** State after the events, from the initial state. */
export function fold<State, Event>(
  decider: { initialState: State; evolve(state: State, event: Event): State },
  events: readonly Event[],
): State {
  return events.reduce((state, event) => decider.evolve(state, event), decider.initialState)
}
