// Filters of a list: fields, what is applied as chips that can be taken away, and a note about values of the address that are none.
import { Button as LibraryButton, Stack, Text } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'
import { useShortcut } from './shortcuts.tsx'

export interface Chip {
  /** Such as `status: dead`. */
  label: string
  onRemove: () => void
}

interface FilterBarProps {
  children: ReactNode
  /** `refused`: names of filters whose value in the address is wrong. */
  filters: { refused: readonly string[]; clear: () => void }
  /** What is applied. */
  chips: readonly Chip[]
}

export function FilterBar({ children, filters: { refused, clear }, chips }: FilterBarProps) {
  const place = useRef<HTMLDivElement>(null)
  useShortcut('f', texts.shortcuts.filters, () => place.current?.querySelector<HTMLElement>('input, button')?.focus())
  useShortcut('/', texts.shortcuts.search, () => {
    const search = place.current?.querySelector<HTMLElement>('[data-search] input, input[data-search]')
    ;(search ?? place.current?.querySelector<HTMLElement>('input'))?.focus()
  })
  const words = texts.list
  return (
    <Stack gap="xs" ref={place}>
      <div className="wds-filters">{children}</div>
      {refused.length > 0 && (
        <Text size="sm" role="status">
          {words.refused(refused)}
        </Text>
      )}
      {chips.length > 0 && (
        <div className="wds-chips">
          {chips.map(({ label, onRemove }) => (
            <LibraryButton
              key={label}
              size="compact-sm"
              radius="xl"
              variant="light"
              rightSection={<Icon name="x" size={12} />}
              aria-label={words.remove(label)}
              onClick={onRemove}
            >
              {label}
            </LibraryButton>
          ))}
          <LibraryButton size="compact-sm" variant="subtle" onClick={clear}>
            {words.clear}
          </LibraryButton>
        </div>
      )}
    </Stack>
  )
}
