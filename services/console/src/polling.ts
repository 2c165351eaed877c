// Asks again while a page is looked at. The pace depends on the tab, the last input, rows that somebody reads, and the rate limit.
import { useEffect, useRef } from 'react'
import { type Pace, pollMs } from './view-models/polling.ts'

const readers = new Set<symbol>()
let lastInputMs = 0
let rateLimit: { remaining: number; resetSeconds: number } | null = null

/** Holds back polling until the returned function is called: a row is hovered, focused or selected. */
export function holdPolling(): () => void {
  const reader = Symbol()
  readers.add(reader)
  return () => void readers.delete(reader)
}

export function noteRateLimit(known: { remaining: number; resetSeconds: number } | null): void {
  rateLimit = known
}

export function watchInput(): void {
  const note = () => {
    lastInputMs = performance.now()
  }
  for (const type of ['pointerdown', 'keydown', 'scroll'])
    addEventListener(type, note, { passive: true, capture: true })
}

const tickMs = 500

/** Calls `refetch` when the data are old enough. `askedMs`: epoch milliseconds of the last answer; `pace` undefined: never. */
export function usePolling(pace: Pace | undefined, askedMs: number, refetch: () => void): void {
  const latest = useRef({ askedMs, refetch })
  latest.current = { askedMs, refetch }
  useEffect(() => {
    if (pace === undefined) return
    const look = () => {
      const isVisible = document.visibilityState === 'visible'
      const idleMs = performance.now() - lastInputMs
      const ms = pollMs({ pace, isVisible, isPaused: readers.size > 0, idleMs, rateLimit })
      if (ms !== false && Date.now() - latest.current.askedMs >= ms) latest.current.refetch()
    }
    const timer = setInterval(look, tickMs)
    return () => clearInterval(timer)
  }, [pace])
}
