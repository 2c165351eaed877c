// What stats by campaign must say of rows and merges, computed from them alone. For tests only.

export interface Row {
  of: 0 | 1
  name: string
  day: string
  clicks: number
}

/** What stats must say, from the rows as they were uploaded last and the merges that were allowed. */
export class Oracle {
  readonly rows = new Map<string, Row>()
  /** By `integration name`: the name of the one that took it up. */
  readonly taken = new Map<string, string>()
  taker = (of: number, name: string): string => {
    const into = this.taken.get(`${of} ${name}`)
    return into === undefined ? name : this.taker(of, into)
  }
  mayMerge = ({ of, from, into }: { of: number; from: string; into: string }) =>
    from !== into && !this.taken.has(`${of} ${from}`) && !this.taken.has(`${of} ${into}`)
  sums(keyOf: (row: Row) => string, isIn: (row: Row) => boolean = () => true): Record<string, number> {
    const found: Record<string, number> = {}
    for (const one of [...this.rows.values()].filter(isIn)) found[keyOf(one)] = (found[keyOf(one)] ?? 0) + one.clicks
    return found
  }
  byCampaign = (row: Row) => `${row.of} ${this.taker(row.of, row.name)}`
}
