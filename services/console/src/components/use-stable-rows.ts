// Keeps the rows of a list where they are while it is read again.
import { useRef, useState } from 'react'
import { mergeRows, type StableRows } from '../view-models/stable-rows.ts'

/** `view`: another one is another list, such as its path and filters. */
export function useStableRows<Row>(
  view: string,
  fresh: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
): StableRows<Row> & { isThere: boolean; showNew: () => void } {
  const shown = useRef<{ view: string; rows: readonly Row[] }>({ view, rows: [] })
  const [, render] = useState(0)
  if (shown.current.view !== view) shown.current = { view, rows: [] }
  const merged = mergeRows(shown.current.rows, fresh ?? [], keyOf)
  shown.current.rows = merged.rows
  const showNew = () => {
    shown.current.rows = fresh ?? []
    render((count) => count + 1)
  }
  return { ...merged, isThere: fresh !== undefined, showNew }
}
