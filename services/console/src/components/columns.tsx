// Columns as many as fit, one on a narrow screen.
import type { ReactNode } from 'react'

interface ColumnsProps {
  /** How wide a column is at least: `narrow` for a few short fields, `wide` for whole cards. */
  width?: 'narrow' | 'middle' | 'wide'
  /** Whether they end where a short row of fields ends. */
  isShort?: boolean
  children: ReactNode
}

export function Columns({ width = 'middle', isShort = false, children }: ColumnsProps) {
  return <div className={`wds-columns wds-columns-${width}${isShort ? ' wds-columns-short' : ''}`}>{children}</div>
}
