// Tracks for each loop of a process, and each piece of its work, whether it is stuck, and for a loop whether it is idle (kubernetes.md K21 and K22). A loop that waits for
// Postgres, the broker or a source with a deadline is never stuck, however long it waits: their outage must not restart the fleet.

import { AsyncLocalStorage } from 'node:async_hooks'
import { resumed, runAs, type Work } from './event-loop-delay.ts'

/** A loop without a sign of life for so long is stuck; kubernetes.md K21 and K22. */
const limitMs = 60_000

/** One loop, from its registration to `end`. */
export interface Loop {
  /** Runs a turn. One that resolves got something done, an empty look included; one that rejects has only moved. */
  turn<T>(fn: () => Promise<T>): Promise<T>
  /** The loop rests: its next turn begins within `ms` milliseconds; Infinity for a loop that others wake. */
  rests(ms: number): void
  /** The loop got something done outside a turn, or an answer that says there is nothing to do. */
  progressed(): void
  /** The loop has ended: nobody waits for it. */
  end(): void
}

/** The loops of a process. */
export interface Progress {
  /** Registers a loop, which counts as moving from now on. Several may have one name. */
  loop(name: string): Loop
  /** Names of loops that have neither moved nor waited for others (`waitingFor`) for 60 s: only a restart helps. */
  stuck(): string[]
  /** Names of loops that got nothing done for 60 s, their rests aside. */
  idle(): string[]
  /** How many pieces of work (`pieceOfTurn`) are stuck as a loop may be, whatever goes on beside them. */
  stuckPieces(): number
}

interface State {
  name: string
  /** Monotonic milliseconds. */
  movesUntil: number
  progressesUntil: number
  /** Calls of `waitingFor` under way. */
  waits: number
  isWell: boolean
}

interface Turn {
  /** Of the loop, behind that of the piece of its work. */
  states: readonly State[]
  /** Of the process, those under way. */
  pieces: Set<State>
  nowMs: () => number
}

/** No turn: nobody hears of what is done there. */
const apart: Pick<Turn, 'states' | 'nowMs'> = { states: [], nowMs: () => 0 }

/** Whose turn it is; undefined apart from any. */
const current = new AsyncLocalStorage<Turn | undefined>()

/** Makes the registry; `nowMs` (monotonic) is for tests. */
export function createProgress({ nowMs = () => performance.now() }: { nowMs?: () => number } = {}): Progress {
  const loops = new Set<State>()
  const pieces = new Set<State>()
  const isStuck = ({ waits, movesUntil }: State) => waits === 0 && nowMs() > movesUntil
  const namesOf = (fails: (state: State) => boolean): string[] =>
    [...new Set([...loops].filter(fails).map(({ name }) => name))].sort()
  return {
    loop(name) {
      const state = stateOf(name, nowMs)
      const work: Work = () => ({ loop: name })
      loops.add(state)
      return {
        async turn(fn) {
          move(state, nowMs)
          state.isWell = false
          try {
            const result = await current.run({ states: [state], pieces, nowMs }, () => runAs(work, fn))
            state.isWell = true
            progress(state, nowMs)
            return result
          } finally {
            move(state, nowMs)
          }
        },
        rests(ms) {
          state.movesUntil = nowMs() + ms + limitMs
          if (state.isWell) state.progressesUntil = state.movesUntil
        },
        progressed: () => progress(state, nowMs),
        end: () => void loops.delete(state),
      }
    },
    stuck: () => namesOf(isStuck),
    idle: () => namesOf(({ progressesUntil }) => nowMs() > progressesUntil),
    stuckPieces: () => [...pieces].filter(isStuck).length,
  }
}

function stateOf(name: string, nowMs: () => number): State {
  const until = nowMs() + limitMs
  return { name, movesUntil: until, progressesUntil: until, waits: 0, isWell: false }
}

function move(state: State, nowMs: () => number): void {
  state.movesUntil = nowMs() + limitMs
}

/** A rest that is longer than the limit stays what it is. */
function progress(state: State, nowMs: () => number): void {
  const until = nowMs() + limitMs
  state.movesUntil = Math.max(state.movesUntil, until)
  state.progressesUntil = Math.max(state.progressesUntil, until)
}

/**
 * Runs a call of Postgres or the broker, or one of somebody else that has a deadline: the loop whose turn makes it counts as moving until
 * it ends, and its work goes on then.
 */
export async function waitingFor<T>(call: () => Promise<T>): Promise<T> {
  const { states, nowMs } = current.getStore() ?? apart
  for (const state of states) state.waits += 1
  try {
    return await call()
  } finally {
    for (const state of states) {
      state.waits -= 1
      move(state, nowMs)
    }
    resumed()
  }
}

/** Reports progress of the current turn, for turns that may take longer than a minute; without effect outside a turn. */
export function progressed(): void {
  const { states, nowMs } = current.getStore() ?? apart
  for (const state of states) progress(state, nowMs)
}

/**
 * Runs `fn` as a piece of work of the turn that calls it: what it does is a sign of life of both, and without one it is stuck although the
 * turn goes on with others. That is told and ends no process: whoever took the piece up next would hang on it as well.
 */
export async function pieceOfTurn<T>(fn: () => Promise<T>): Promise<T> {
  const turn = current.getStore()
  if (turn === undefined) return fn()
  const piece = stateOf('piece', turn.nowMs)
  turn.pieces.add(piece)
  try {
    return await current.run({ ...turn, states: [piece, ...turn.states] }, fn)
  } finally {
    turn.pieces.delete(piece)
  }
}

/**
 * Runs `fn`, and what it starts, apart from the turn that calls it: for a timer that goes on whatever becomes of the work beside it, as the
 * one that renews a lease. Else its calls would be signs of life of a loop that hangs.
 */
export function apartFromTurn<T>(fn: () => T): T {
  return current.run(undefined, fn)
}
