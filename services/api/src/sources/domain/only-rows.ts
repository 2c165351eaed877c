// Decides which rows of a feed are meant (domain.md 4.2, `only`): a feed may hold several brands. It never looks at other cells.

/** A row is kept where the cell of the column, or of the JSON pointer, is this text. */
export interface OnlyRule {
  from: string
  equals: string
}

/** A rule by the place of its cell. */
export type BoundOnly = { column: number; equals: string }[]

/** The rules bound to columns; null where a column lacks. */
export function bindOnly(columns: readonly string[], only: readonly OnlyRule[]): BoundOnly | null {
  const bound = only.map(({ from, equals }) => ({ column: columns.indexOf(from), equals }))
  return bound.every(({ column }) => column >= 0) ? bound : null
}

/** Whether all rules hold. A cell that was not supplied is none. */
export function isMeant(cells: readonly (string | null)[], only: BoundOnly): boolean {
  return only.every(({ column, equals }) => cells[column] === equals)
}
