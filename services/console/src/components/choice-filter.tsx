// A filter of a few values, or all of them.
import { Select } from '@mantine/core'

interface ChoiceFilterProps {
  label: string
  /** Words for no filter. */
  all: string
  /** Values that are their own words, or with their words. */
  choices: readonly (string | { value: string; label: string })[] | ReadonlyMap<string, string>
  /** Unset: all. */
  value: string | undefined
  /** '': all. */
  onChange: (value: string) => void
  searchable?: boolean
}

export function ChoiceFilter({ all, choices, value = '', onChange, ...o }: ChoiceFilterProps) {
  const each = choices instanceof Map ? [...choices].map(([one, words]) => ({ value: one, label: words })) : choices
  return (
    <Select
      {...o}
      data={[{ value: '', label: all }, ...each]}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}
