// Joins bytes that come in pieces of any size: held one by one, those that come bytewise take a hundred times their size.

/** Grows by doubling. */
export class JoinedBytes {
  #bytes: Buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** What was added so far; not to be kept beyond the next `add`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length
    if (this.#length === 0) this.#bytes = piece
    else {
      if (length > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length, 1_024))
        this.#bytes.copy(larger, 0, 0, this.#length)
        this.#bytes = larger
      }
      piece.copy(this.#bytes, this.#length)
    }
    this.#length = length
  }

  /** Gives away what was added; begins anew. */
  take(): Buffer {
    const taken = this.bytes
    this.#bytes = Buffer.alloc(0)
    this.#length = 0
    return taken
  }
}
