// Decides whether the columns of a file are those of its type (domain.md 3.12), in any order.

/** What a file has: each of the required ones once, of the optional ones at most once each. */
export interface NamedColumns<C extends string> {
  required: readonly C[]
  optional: readonly C[]
}

export type Cells<C extends string> = Readonly<Record<C, string>>

export interface ColumnFault {
  column: string
  fault: 'unknown' | 'missing' | 'duplicate'
}

/** All names that a file may have. */
export const namesOf = <C extends string>({ required, optional }: NamedColumns<C>): C[] => [...required, ...optional]

/** What is wrong with the columns of a file; none where they fit. */
export function columnFaults(found: readonly string[], columns: NamedColumns<string>): ColumnFault[] {
  const known = namesOf(columns)
  const faultOf = (column: string, index: number): ColumnFault['fault'] | null => {
    if (!known.includes(column)) return 'unknown'
    return found.indexOf(column) === index ? null : 'duplicate'
  }
  const wrong = found.flatMap((column, index) => {
    const fault = faultOf(column, index)
    return fault === null ? [] : [{ column, fault }]
  })
  const missing = columns.required.filter((column) => !found.includes(column))
  return [...wrong, ...missing.map((column) => ({ column, fault: 'missing' as const }))]
}
