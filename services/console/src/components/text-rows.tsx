// A list of texts, one per row, each with its own reason when it is refused: redirect URLs, ranges of addresses.
import { Group, Button as LibraryButton, Stack, Text, TextInput } from '@mantine/core'
import { texts } from '../texts.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

interface TextRowsProps {
  legend: string
  hint?: string
  /** Name of one row, such as `Redirect URL`. */
  rowLabel: string
  addLabel: string
  placeholder?: string
  rows: readonly string[]
  /** Of each row; null: none. */
  faults: readonly (string | null)[]
  /** Of the list as a whole. */
  error?: string | null
  max: number
  onChange: (rows: string[]) => void
}

export function TextRows({ rows, faults, onChange, error = null, ...o }: TextRowsProps) {
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
          <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              className="wds-grow-row"
              aria-label={`${o.rowLabel} ${at + 1}`}
              placeholder={o.placeholder}
              value={row}
              autoComplete="off"
              spellCheck={false}
              error={faults[at] ?? null}
              onChange={(event) => onChange(rows.map((text, nth) => (nth === at ? event.currentTarget.value : text)))}
            />
            {rows.length > 1 && (
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
              onClick={() => onChange([...rows, ''])}
            >
              {o.addLabel}
            </LibraryButton>
          </div>
        )}
      </Stack>
    </fieldset>
  )
}
