// A list of texts, one per row, each with its own reason when it is refused: redirect URLs, ranges of addresses.
import { TextInput } from '@mantine/core'
import { RowsFieldset, type RowsProps } from './rows-fieldset.tsx'

interface TextRowsProps extends RowsProps<string> {
  /** Name of one row, such as `Redirect URL`. */
  rowLabel: string
  placeholder?: string
  /** Of each row; null: none. */
  faults: readonly (string | null)[]
}

export function TextRows({ placeholder, faults, ...o }: TextRowsProps) {
  return (
    <RowsFieldset {...o} min={1} empty="">
      {(row, at, change) => (
        <TextInput
          className="wds-grow"
          aria-label={`${o.rowLabel} ${at + 1}`}
          placeholder={placeholder}
          value={row}
          autoComplete="off"
          spellCheck={false}
          error={faults[at] ?? null}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )}
    </RowsFieldset>
  )
}
