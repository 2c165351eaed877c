/** Faults that not every machine can make. */
import { report } from './load.ts'

/** Gives `isPossible`; where it is false it says that the row of reliability.md 4 is skipped, and why. */
export function canBeMade(isPossible: boolean, { row, needs }: { row: string; needs: string }, say = report): boolean {
  if (!isPossible) say(`${row} is skipped: it needs ${needs}`)
  return isPossible
}
