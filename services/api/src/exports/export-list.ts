// Exports of lists: all rows that a list with the same filters shows, in its order (domain.md 3.12).
import { type AggregateState, type Loaded, toLoaded } from '@wds/aggregate/aggregate'
import { allListedSql, type Bind, type Listed } from '@wds/aggregate/list'
import type { Scope } from '@wds/contracts/scopes'
import type { Transaction } from '@wds/postgres/transaction'
import type { AskedExport, ExportSource } from './export-source.ts'
import { holdListed, takeListed } from './store-rows.ts'

/** Of CSV, each with its cell. */
type Columns<A> = Readonly<Record<string, (row: A) => string | number | null>>

/** Rows of a list of resources. */
export function listExport<S extends AggregateState, A extends object>(o: {
  scope: Scope
  listed: Listed<S, A>
  columns: Columns<A>
}): ExportSource {
  return rowsExport({
    ...o,
    foundSql: (asked, bind) => allListedSql(o.listed, listedOf(asked), bind),
    toApi: (rows, tx) => o.listed.toApi(rows.map(loadedOf<S>), tx),
  })
}

/** `foundSql`: all rows in their order, `place` from 1 and `listed`; `toApi` shows what was held of `listed`, as the list would. */
export function rowsExport<A extends object>(o: {
  scope: Scope
  columns: Columns<A>
  foundSql: (asked: AskedExport, bind: Bind) => string
  toApi: (rows: object[], tx: Transaction) => A[] | Promise<A[]>
  isPersonal?: boolean
}): ExportSource {
  const cells = Object.values(o.columns)
  const { scope, isPersonal = false } = o
  return {
    scope,
    isPersonal,
    // JSON Schema judges filters.
    judge: () => Promise.resolve(),
    async hold(tx, { exportId, rowsMax, ...asked }) {
      const foundSql = (bind: Bind) => o.foundSql(asked, bind)
      const rows = await holdListed(tx, { workspaceId: asked.workspaceId, exportId, foundSql, rowsMax })
      return { rows, shape: null, meta: null }
    },
    columnsOf: () => Object.keys(o.columns),
    async take(tx, place) {
      const found = await o.toApi(await takeListed(tx, place), tx)
      return found.map((row) => ({ json: row, cells: cells.map((cellOf) => cellOf(row)) }))
    },
    periodOf: (_query, day) => day,
  }
}

/** What `allListedSql` is given. */
export function listedOf({ workspaceId, query }: AskedExport) {
  return { workspaceId, given: { ...query } }
}

/** A row of `allListedSql` that was held. */
export function loadedOf<S extends AggregateState>(row: object): Loaded<S> {
  return toLoaded(row as Parameters<typeof toLoaded<S>>[0])
}

/** Several texts in a cell, as a filter of a list takes them. */
export function cellOfTexts(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/[\\,]/g, '\\$&')).join(',')
}
