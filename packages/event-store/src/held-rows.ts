// Where a relay looks for rows beside those that the log does not take, of a partition without a leader or of a topic that is refused. They
// may be hours of a service's events: each pass looks through one part of the outbox, so that it costs the same however many they are.
import { type Clock, systemClock } from '@wds/pacing/clock'
import type { Part } from './outbox-window.ts'

/** Before every id. */
const start = '0'
/** Nobody looks at a row that commits when its part was passed, until its key has another: from time to time all begins anew. */
const againMs = 300_000

export interface HeldRows {
  /** Up to this id every row was held when its part was passed. */
  readonly after: string
  /** In this part all rows are held. True where another part follows. */
  passed(part: Part): boolean
  /** These rows were published. Where one of them was held, its like may be published, too: all begins anew. */
  published(ids: string[]): void
  /** Nothing is held any more. */
  begin(): void
}

export function createHeldRows(clock: Clock = systemClock): HeldRows {
  let after = start
  let beganMs = clock.nowMs()
  const begin = (): void => {
    after = start
    beganMs = clock.nowMs()
  }
  return {
    get after() {
      return after
    },
    begin,
    passed({ middle }) {
      if (middle === null) {
        if (clock.nowMs() - beganMs >= againMs) begin()
        return false
      }
      after = middle
      return true
    },
    published(ids) {
      if (ids.some((id) => Number(id) <= Number(after))) begin()
    },
  }
}
