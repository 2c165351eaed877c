// Rows of two or three fields, such as headers: add, change, take away.
import { Group, Button as LibraryButton, Select, Stack, Text, TextInput } from '@mantine/core'
import { texts } from '../texts.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

export interface RowField<Row> {
  name: keyof Row & string
  label: string
  placeholder?: string
  /** A choice instead of a text. */
  options?: readonly string[]
}

interface RowEditorProps<Row> {
  legend: string
  hint?: string
  addLabel: string
  fields: readonly RowField<Row>[]
  rows: readonly Row[]
  empty: Row
  max: number
  onChange: (rows: Row[]) => void
  error?: string | null
}

export function RowEditor<Row extends Record<keyof Row, string>>(o: RowEditorProps<Row>) {
  const { rows, fields, onChange, error = null } = o
  const change = (at: number, name: keyof Row, value: string) =>
    onChange(rows.map((row, nth) => (nth === at ? { ...row, [name]: value } : row)))
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
            {fields.map(({ name, label, placeholder, options }) => {
              const common = { 'aria-label': `${label} ${at + 1}`, className: 'wds-grow', value: row[name] as string }
              return options === undefined ? (
                <TextInput
                  key={name}
                  {...common}
                  placeholder={placeholder ?? label}
                  onChange={(event) => change(at, name, event.currentTarget.value)}
                />
              ) : (
                <Select
                  key={name}
                  {...common}
                  data={[...options]}
                  allowDeselect={false}
                  onChange={(value) => change(at, name, value ?? '')}
                />
              )
            })}
            <IconButton
              icon="trash"
              size="lg"
              label={`${texts.form.delete} ${at + 1}`}
              onClick={() => onChange(rows.filter((_, nth) => nth !== at))}
            />
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
