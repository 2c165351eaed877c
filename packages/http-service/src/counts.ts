// Counts what each of many has at a time, such as requests of a caller or bytes of their answers, and says who has less than his share of a
// limit.

/** How far all together may go above a limit, so that whoever has less than his share of it is still let in. */
const sharesMax = 2

export class Counts {
  readonly #byName = new Map<string, number>()
  #total = 0

  /** Of all together. */
  get total(): number {
    return this.#total
  }

  of(name: string): number {
    return this.#byName.get(name) ?? 0
  }

  /** So many more, until the function given back is called; calling it again does nothing. */
  add(name: string, amount = 1): () => void {
    this.#total += amount
    this.#byName.set(name, this.of(name) + amount)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      this.#total -= amount
      const left = this.of(name) - amount
      if (left === 0) this.#byName.delete(name)
      else this.#byName.set(name, left)
    }
  }

  /** May this one have another? While all have fewer than `limit`; above it, while it has less than its share, up to twice the limit. */
  hasRoom(name: string, limit: number): boolean {
    if (this.#total < limit) return true
    const own = this.of(name)
    const names = this.#byName.size + (own === 0 ? 1 : 0)
    return own < limit / names && this.#total < limit * sharesMax
  }
}
