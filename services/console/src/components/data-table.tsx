// A real table from a short list of columns: the server sorts and pages (ui.md 7). A row opens by the link in its first cell.
import { Table } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { holdPolling } from '../polling.ts'
import { useRowKeys } from './row-keys.ts'

export interface Column<Row> {
  /** Also its key. */
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the right. */
  isNumber?: boolean
  /** For readers of the screen only, such as that of buttons. */
  isTitleHidden?: boolean
  isNarrow?: boolean
}

interface DataTableProps<Row> {
  /** What it lists, for readers of the screen. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The row whose drawer is open. */
  openKey?: string | null
}

export function DataTable<Row>({ caption, columns, rows, keyOf, openKey = null }: DataTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const isWide = useIsWide(place)
  useRowKeys(body)
  useHeldPolling(body)
  return (
    <Table.ScrollContainer
      ref={place}
      tabIndex={isWide ? 0 : undefined}
      role={isWide ? 'group' : undefined}
      aria-label={isWide ? caption : undefined}
      minWidth={Math.min(
        720,
        columns.reduce((sum, { isNarrow }) => sum + (isNarrow ? 88 : 136), 0),
      )}
      type="native"
      className="wds-table"
    >
      <Table verticalSpacing="sm" horizontalSpacing="sm" highlightOnHover>
        <Table.Caption className="wds-caption">{caption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, isNumber, isTitleHidden }) => (
              <Table.Th key={title} scope="col" ta={isNumber ? 'right' : 'left'}>
                <span className={isTitleHidden ? 'wds-hidden' : ''}>{title}</span>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)} data-row={keyOf(row)} data-open={openKey === keyOf(row) ? true : undefined}>
              {columns.map(({ title, cell, isNumber, isNarrow }, nth) => (
                <Table.Td
                  key={title}
                  ta={isNumber ? 'right' : 'left'}
                  className={isNarrow ? 'wds-narrow' : ''}
                  component={nth === 0 ? 'th' : 'td'}
                  scope={nth === 0 ? 'row' : undefined}
                  fw={nth === 0 ? 400 : undefined}
                >
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** Does it scroll sideways? Then it can be reached by keyboard; a table that fits is no stop of its own. */
function useIsWide(place: React.RefObject<HTMLDivElement | null>): boolean {
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const watch = new ResizeObserver(() => setWide(element.scrollWidth > element.clientWidth))
    for (const part of [element, ...element.children]) watch.observe(part)
    return () => watch.disconnect()
  }, [place])
  return isWide
}

/** Rows do not change under the pointer or the focus. */
function useHeldPolling(body: React.RefObject<HTMLTableSectionElement | null>): void {
  useEffect(() => {
    const element = body.current
    if (element === null) return
    const held = new Map<string, () => void>()
    const hold = (why: string) => () => void held.set(why, held.get(why) ?? holdPolling())
    const leave = (why: string) => () => {
      held.get(why)?.()
      held.delete(why)
    }
    const events: [string, () => void][] = [
      ['pointerenter', hold('pointer')],
      ['pointerleave', leave('pointer')],
      ['focusin', hold('focus')],
      ['focusout', leave('focus')],
    ]
    for (const [type, listener] of events) element.addEventListener(type, listener)
    return () => {
      for (const [type, listener] of events) element.removeEventListener(type, listener)
      for (const release of held.values()) release()
    }
  }, [body])
}
