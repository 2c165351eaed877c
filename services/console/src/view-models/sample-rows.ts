// Which columns the sample of a source has: those that hold something, in the order of the answer.
import { texts } from '../texts.ts'
import { countText, moneyText } from './numbers.ts'
import { labelOf } from './schema-form.ts'

/** One row under the canonical names, money in minor units. */
export type SampleRow = Readonly<Record<string, string | number | null>>

const moneyNames = /(_amount|_commission|ngr|ggr|bonuses|fees|chargebacks|^commission)$/

export function sampleColumns(
  rows: readonly SampleRow[],
): { title: string; isNumber: boolean; textOf: (row: SampleRow) => string }[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const filled = names.filter((name) => rows.some((row) => (row[name] ?? null) !== null))
  return filled.map((name) => ({
    title: labelOf(name),
    isNumber: rows.some((row) => typeof row[name] === 'number'),
    textOf: (row) => {
      const value = row[name]
      if (value === null || value === undefined) return texts.time.none
      if (typeof value === 'string') return value
      return moneyNames.test(name) ? moneyText(value, String(row.currency)) : countText(value)
    },
  }))
}
