// Decides by how much the next invoice corrects what earlier ones billed of a day (decision 74).
import type { Correction } from './draw-lines.ts'

/** A day that was billed, by all invoices that count. */
export interface Billed {
  day: string
  amount: bigint
  /** Of the numbers that were billed last. */
  revision: number
  /** One of the invoices is about a period that holds the day. */
  isInPeriod: boolean
  /** Of the day's numbers as they are now, and what they come to; final days alone are billed. */
  now: { revision: number; amount: bigint }
}

/**
 * A day in the period is billed as a whole, so what was billed of it is taken off. Another one is brought to what its numbers say now;
 * to nothing where the invoice about it is void.
 */
export function correctionsOf(billed: readonly Billed[], period: { from: string; to: string }): Correction[] {
  return billed.flatMap(({ day, amount, isInPeriod, now }) => {
    const isOwn = day >= period.from && day <= period.to
    const difference = (isOwn || !isInPeriod ? 0n : now.amount) - amount
    return difference === 0n ? [] : [{ day, revision: now.revision, amount: difference, isOwn }]
  })
}
