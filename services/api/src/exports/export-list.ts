// Exports of lists: all rows that a list with the same filters shows, in its order (domain.md 3.12).
import { type AggregateState, type Loaded, toLoaded } from '@wds/aggregate/aggregate'
import type { Listed } from '@wds/aggregate/list'
import type { Scope } from '@wds/contracts/scopes'
import type { ExportSource } from './export-source.ts'
import { holdListed, takeListed } from './store-rows.ts'

/** `columns`: of CSV, each with its cell. */
export function listExport<S extends AggregateState, A extends object>(o: {
  scope: Scope
  listed: Listed<S, A>
  columns: Readonly<Record<string, (row: A) => string | number | null>>
}): ExportSource {
  const cells = Object.values(o.columns)
  return {
    scope: o.scope,
    // JSON Schema judges filters.
    judge: () => Promise.resolve(),
    async hold(tx, { workspaceId, exportId, query, rowsMax }) {
      const rows = await holdListed(tx, { workspaceId, exportId, listed: o.listed, given: { ...query }, rowsMax })
      return { rows, shape: null, meta: null }
    },
    columnsOf: () => Object.keys(o.columns),
    async take(tx, place) {
      const found = (await takeListed(tx, place)).map(
        (row): Loaded<S> => toLoaded(row as Parameters<typeof toLoaded<S>>[0]),
      )
      return (await o.listed.toApi(found, tx)).map((row) => ({ json: row, cells: cells.map((cellOf) => cellOf(row)) }))
    },
    periodOf: (_query, day) => day,
  }
}
