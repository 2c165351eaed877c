// Wraps a value that must not be shown. Whatever prints it, on purpose or by accident, gets a mask (style.md 20).

import { inspect } from 'node:util'

/** A secret value. `toString`, `toJSON` and inspection give `[secret]`; only `reveal` gives the value. */
export class Secret<T = string> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  /** The value itself, for the one place that uses it. */
  reveal(): T {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}
