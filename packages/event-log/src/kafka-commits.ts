// Tells the broker up to which record each partition took effect, for backpressure and for the lag that operators see: where a consumer
// goes on stands in its own database.

import type { Consumer } from 'kafkajs'
import { answerOf } from './kafka-client.ts'
import { type LogPlace, placeOf } from './places.ts'
import { reportPositionAfter } from './port.ts'

/** As for any request: an answer that kafkajs lost must hold up neither the next commit nor a stop. */
const answerMs = 5_000

/** A partition whose records up to `next` took effect. */
export interface Position extends LogPlace {
  next: bigint
}

export class KafkaCommits {
  readonly #positions: () => Position[]
  readonly #committed = new Map<string, bigint>()
  #isCommitting = false

  /** `positions`: of the partitions that are held now. */
  constructor(positions: () => Position[]) {
    this.#positions = positions
  }

  /** Commits at once when many records took effect since the last commit; one request at a time. */
  async soon(client: Consumer): Promise<void> {
    const isMuch = () =>
      this.#behind().some((place) => place.next - (this.#committed.get(placeOf(place)) ?? 0n) >= reportPositionAfter)
    if (this.#isCommitting) return
    this.#isCommitting = true
    while (isMuch() && (await this.all(client))) {}
    this.#isCommitting = false
  }

  /** Commits every position that is ahead of what was committed; false when it failed. */
  async all(client: Consumer): Promise<boolean> {
    const behind = this.#behind()
    if (behind.length === 0) return true
    for (const place of behind) this.#committed.set(placeOf(place), place.next)
    try {
      const offsets = behind.map(({ topic, partition, next }) => ({ topic, partition, offset: String(next) }))
      await answerOf(client.commitOffsets(offsets), answerMs)
      return true
    } catch {
      for (const place of behind) this.#committed.delete(placeOf(place))
      return false
    }
  }

  #behind(): Position[] {
    return this.#positions().filter((place) => this.#committed.get(placeOf(place)) !== place.next)
  }
}
