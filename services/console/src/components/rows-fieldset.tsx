// The frame of fields that repeat row by row: what they are, the rows, what is wrong with all of them, one more.
import { Group, Button as LibraryButton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

export interface RowsProps<Row> {
  legend: string
  hint?: string
  addLabel: string
  rows: readonly Row[]
  max: number
  onChange: (rows: Row[]) => void
  /** Of the list as a whole. */
  error?: string | null
}

interface RowsFieldsetProps<Row> extends RowsProps<Row> {
  /** Of a row that is added. */
  empty: Row
  /** At least so many rows stay. */
  min: number
  /** What is deleted, such as `Redirect URL`. */
  rowLabel: string
  /** The fields of one row. */
  children: (row: Row, at: number, change: (row: Row) => void) => ReactNode
}

export function RowsFieldset<Row>({ rows, onChange, error = null, children, ...o }: RowsFieldsetProps<Row>) {
  return (
    <fieldset className="wds-fieldset">
      <legend>{o.legend}</legend>
      <Stack gap="xs">
        {o.hint !== undefined && (
          <Text size="sm" c="dimmed">
            {o.hint}
          </Text>
        )}
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <Group key={at} gap="xs" wrap="nowrap" align="flex-start" className="wds-rows">
            {children(row, at, (next) => onChange(rows.map((one, nth) => (nth === at ? next : one))))}
            {rows.length > o.min && (
              <IconButton
                icon="trash"
                size="lg"
                label={`${texts.form.delete} ${o.rowLabel} ${at + 1}`}
                onClick={() => onChange(rows.filter((_, nth) => nth !== at))}
              />
            )}
          </Group>
        ))}
        {error !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
        {rows.length < o.max && (
          <div>
            <LibraryButton
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" />}
              onClick={() => onChange([...rows, o.empty])}
            >
              {o.addLabel}
            </LibraryButton>
          </div>
        )}
      </Stack>
    </fieldset>
  )
}
