// j and k move through the rows of a table, Enter opens the row: its first link has the focus then, so Enter is the link's own.
import { type RefObject, useCallback } from 'react'
import { texts } from '../texts.ts'
import { useShortcut } from './shortcuts.tsx'

export function useRowKeys(body: RefObject<HTMLTableSectionElement | null>): void {
  const move = useCallback(
    (by: 1 | -1) => {
      const rows = [...(body.current?.rows ?? [])]
      const at = rows.findIndex((row) => row.contains(document.activeElement))
      const next = rows[at < 0 ? (by === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))]
      next?.querySelector<HTMLElement>('a[href], button')?.focus()
    },
    [body],
  )
  useShortcut('j', texts.shortcuts.next, () => move(1))
  useShortcut('k', texts.shortcuts.previous, () => move(-1))
}
