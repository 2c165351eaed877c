// Rows of two or three fields, such as headers: add, change, take away.
import { Select, TextInput } from '@mantine/core'
import { RowsFieldset, type RowsProps } from './rows-fieldset.tsx'

interface RowField<Row> {
  name: keyof Row & string
  label: string
  placeholder?: string
  /** A choice instead of a text. */
  options?: readonly (string | { value: string; label: string })[]
}

interface RowEditorProps<Row> extends RowsProps<Row> {
  /** Name of one row, such as `Header`. */
  rowLabel: string
  fields: readonly RowField<Row>[]
  empty: Row
  /** What is wrong with a field of a row; null: nothing. */
  faultOf?: (row: Row, name: keyof Row & string, at: number) => string | null
}

export function RowEditor<Row extends Record<keyof Row, string>>({ fields, faultOf, ...o }: RowEditorProps<Row>) {
  return (
    <RowsFieldset {...o} min={0}>
      {(row, at, change) =>
        fields.map(({ name, label, placeholder, options }) => {
          const common = {
            'aria-label': `${label} ${at + 1}`,
            className: 'wds-grow',
            value: row[name] as string,
            error: faultOf?.(row, name, at) ?? null,
          }
          return options === undefined ? (
            <TextInput
              key={name}
              {...common}
              placeholder={placeholder ?? label}
              onChange={(event) => change({ ...row, [name]: event.currentTarget.value })}
            />
          ) : (
            <Select
              key={name}
              {...common}
              data={[...options]}
              allowDeselect={false}
              onChange={(value) => change({ ...row, [name]: value ?? '' })}
            />
          )
        })
      }
    </RowsFieldset>
  )
}
