// The event types of a subscription as a tree with search: a family as a whole, by its wildcard, or single types (ui.md 2).
import { Checkbox, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { eventPickerTexts as words } from '../texts/event-picker.ts'
import {
  type CatalogType,
  type Family,
  familiesOf,
  isMatch,
  matchedTypes,
  searchFamilies,
  togglePattern,
} from '../view-models/event-patterns.ts'
import { Icon } from './icon.tsx'

interface EventTypePickerProps {
  types: readonly CatalogType[]
  value: readonly string[]
  onChange: (patterns: string[]) => void
  error?: string | null
}

export function EventTypePicker({ types, value, onChange, error = null }: EventTypePickerProps) {
  const [text, setText] = useState('')
  const [open, setOpen] = useState<readonly string[]>([])
  const families = familiesOf(types)
  const shown = text.trim() === '' ? families : searchFamilies(families, text)
  const toggle = (pattern: string) => onChange(togglePattern(value, pattern))
  const flip = (prefix: string) =>
    setOpen(open.includes(prefix) ? open.filter((one) => one !== prefix) : [...open, prefix])
  return (
    <fieldset className="wds-fieldset" aria-describedby={error === null ? undefined : 'event-types-error'}>
      <legend>{words.label}</legend>
      <Stack gap="xs">
        <TextInput
          aria-label={words.search}
          placeholder={words.search}
          value={text}
          leftSection={<Icon name="search" />}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className="wds-picker">
          <Checkbox label={words.all(types.length)} checked={value.includes('*')} onChange={() => toggle('*')} py={4} />
          {shown.map((family) => (
            <FamilyRows
              key={family.prefix}
              family={family}
              value={value}
              isOpen={text.trim() !== '' || open.includes(family.prefix)}
              onFlip={() => flip(family.prefix)}
              onToggle={toggle}
            />
          ))}
          {shown.length === 0 && <Text size="sm">{words.noneMatch}</Text>}
        </div>
        {error !== null && (
          <Text size="sm" c="var(--mantine-color-error)" id="event-types-error">
            {error}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {words.chosen(value, matchedTypes(value, types).length)}
        </Text>
      </Stack>
    </fieldset>
  )
}

interface FamilyRowsProps {
  family: Family
  value: readonly string[]
  isOpen: boolean
  onFlip: () => void
  onToggle: (pattern: string) => void
}

function FamilyRows({ family: { prefix, types }, value, isOpen, onFlip, onToggle }: FamilyRowsProps) {
  const wildcard = `${prefix}.*`
  const isWhole = value.includes('*') || value.includes(wildcard)
  const some = types.some(({ type }) => value.includes(type))
  return (
    <div className="wds-family">
      <Group justify="space-between" wrap="nowrap">
        <Checkbox
          label={<code>{wildcard}</code>}
          aria-label={words.family(wildcard, types.length)}
          checked={isWhole}
          indeterminate={!isWhole && some}
          disabled={value.includes('*')}
          onChange={() => onToggle(wildcard)}
          py={4}
        />
        <UnstyledButton
          className="wds-menu-button"
          aria-expanded={isOpen}
          aria-label={words.show(words.count(types.length), prefix)}
          onClick={onFlip}
        >
          <Text size="sm" c="dimmed">
            {words.count(types.length)}
          </Text>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        </UnstyledButton>
      </Group>
      {isOpen && (
        <div className="wds-family-types">
          {types.map(({ type, meaning }) => (
            <Checkbox
              key={type}
              label={<code>{type}</code>}
              description={meaning}
              checked={value.some((pattern) => isMatch(pattern, type))}
              disabled={isWhole}
              onChange={() => onToggle(type)}
            />
          ))}
        </div>
      )}
    </div>
  )
}
