// Filters that more than one list of deliveries has: the event type, and a period on the reader's own clock.
import { Select, TextInput } from '@mantine/core'
import { filterTexts as words } from '../texts/filters.ts'
import { fromLocalInput, toLocalInput } from '../view-models/local-input.ts'
import { exactTimes } from '../view-models/relative-time.ts'

const clock = (instant: string) => exactTimes(Date.parse(instant)).local

/** Chips of the period, on the reader's own clock. */
export const periodChips = {
  since: (instant: string) => words.chips.since(clock(instant)),
  until: (instant: string) => words.chips.until(clock(instant)),
}

interface Values {
  type?: string
  since?: string
  until?: string
}

interface FilterFieldProps {
  filters: { values: Values; set(change: { readonly [N in keyof Values]?: string | undefined }): void }
}

export function TypeFilter({ filters: { values, set }, types }: FilterFieldProps & { types: readonly string[] }) {
  return (
    <Select
      label={words.type}
      placeholder={words.anyType}
      data={[...types]}
      value={values.type ?? null}
      searchable
      clearable
      onChange={(value) => set({ type: value ?? undefined })}
    />
  )
}

export function PeriodFilter({ filters: { values, set } }: FilterFieldProps) {
  return (
    <>
      {(['since', 'until'] as const).map((name) => (
        <TextInput
          key={name}
          label={words[name]}
          type="datetime-local"
          value={toLocalInput(values[name])}
          onChange={(event) => set({ [name]: fromLocalInput(event.currentTarget.value) })}
        />
      ))}
    </>
  )
}
