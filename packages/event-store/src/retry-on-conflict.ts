// Runs a command again when another one won the race for its stream. It never hides a conflict that stays.

import { isVersionConflict } from './event-store.ts'

/** Runs `fn` up to `tries` times (default 3) while it throws a version conflict; the last one is thrown (503 unavailable). */
export async function retryOnConflict<T>(fn: () => Promise<T>, tries = 3): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fn()
    } catch (error) {
      if (!isVersionConflict(error) || attempt >= tries) throw error
    }
  }
}
