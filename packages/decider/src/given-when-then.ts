// Decides how a decider is tested: given events, when a command, then events or a rejection.
// It knows no test runner: what does not hold is a plain Error that shows both sides.
import { isDeepStrictEqual } from 'node:util'
import { type Decider, type Decision, fold } from './decider.ts'

/** What can be said about the answer to a command. Each throws an Error where it does not hold. */
export interface Then<Event, Rejection> {
  /** Exactly these events, in this order; none means accepted without a change. */
  then(expected: readonly Event[]): void
  /** Exactly this rejection. */
  thenRejected(expected: Rejection): void
}

/** Begins a test of a decider: `given(decider, events).when(command).then(expected)`. */
export function given<State, Command, Event, Rejection>(
  decider: Decider<State, Command, Event, Rejection>,
  events: readonly Event[],
): { when(command: Command): Then<Event, Rejection> } {
  return { when: (command) => judge(decider.decide(fold(decider, events), command)) }
}

function judge<Event, Rejection>(decision: Decision<Event, Rejection>): Then<Event, Rejection> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: the word of given/when/then; the value is never awaited
    then(expected) {
      if (!decision.accepted)
        throw new Error(`expected events, but the command was rejected: ${show(decision.rejection)}`)
      compare('events', decision.events, expected)
    },
    thenRejected(expected) {
      if (decision.accepted)
        throw new Error(`expected a rejection, but the command was accepted: ${show(decision.events)}`)
      compare('rejection', decision.rejection, expected)
    },
  }
}

function compare(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw new Error(`not the expected ${what}\nexpected: ${show(expected)}\nactual:   ${show(actual)}`)
}

function show(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part), 2) ?? 'undefined'
  )
}
