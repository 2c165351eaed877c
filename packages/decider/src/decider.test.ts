// Proves what deciders and their tests rely on, by a lamp that burns out after two uses.
import { describe, expect, test } from '@jest/globals'
import { accept, type Decider, fold, reject } from './decider.ts'
import { given } from './given-when-then.ts'

type Command = 'switch_on' | 'switch_off'
type Event = { type: 'SwitchedOn' } | { type: 'SwitchedOff' }
type Rejection = { code: 'burnt_out'; uses: number }

const lamp: Decider<{ on: boolean; uses: number }, Command, Event, Rejection> = {
  initialState: { on: false, uses: 0 },
  evolve: (state, event) =>
    event.type === 'SwitchedOn' ? { on: true, uses: state.uses + 1 } : { on: false, uses: state.uses },
  decide(state, command) {
    if (command === 'switch_off') return state.on ? accept<Event>({ type: 'SwitchedOff' }) : accept()
    if (state.on) return accept()
    return state.uses < 2 ? accept<Event>({ type: 'SwitchedOn' }) : reject({ code: 'burnt_out', uses: state.uses })
  },
}
const on: Event = { type: 'SwitchedOn' }
const off: Event = { type: 'SwitchedOff' }

describe('fold', () => {
  test('of no events is the initial state', () => {
    expect(fold(lamp, [])).toEqual({ on: false, uses: 0 })
  })

  test('takes the events in their order', () => {
    expect(fold(lamp, [on, off, on])).toEqual({ on: true, uses: 2 })
  })
})

describe('given, when, then', () => {
  test('the events of an accepted command are compared exactly', () => {
    given(lamp, []).when('switch_on').then([on])
    given(lamp, [on]).when('switch_on').then([])
    expect(() => given(lamp, []).when('switch_on').then([])).toThrow('not the expected events')
  })

  test('a rejection is compared with its members', () => {
    given(lamp, [on, off, on, off]).when('switch_on').thenRejected({ code: 'burnt_out', uses: 2 })
    expect(() =>
      given(lamp, [on, off, on, off]).when('switch_on').thenRejected({ code: 'burnt_out', uses: 1 }),
    ).toThrow('not the expected rejection')
  })

  test('a rejection where events are expected fails, and the other way round', () => {
    expect(() => given(lamp, [on, off, on, off]).when('switch_on').then([on])).toThrow('was rejected')
    expect(() => given(lamp, []).when('switch_on').thenRejected({ code: 'burnt_out', uses: 0 })).toThrow('was accepted')
  })
})
