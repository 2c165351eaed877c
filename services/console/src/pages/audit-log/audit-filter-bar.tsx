// The filters of the audit log. They apply when the form is sent, so that each view has an address.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { TextInput } from '../../components/fields.ts'
import { Group, Stack } from '../../components/layout.ts'
import { Select } from '../../components/select.ts'
import { Text } from '../../components/text.ts'
import { auditTexts as words } from '../../texts/audit-log.ts'
import { texts } from '../../texts.ts'
import { type AuditFilters, actorName } from '../../view-models/audit.ts'

interface AuditFilterBarProps {
  filters: AuditFilters
  /** By `usr_…`. */
  names: ReadonlyMap<string, string>
  onApply: (filters: AuditFilters) => void
  /** Null: there is none to clear. */
  onClear: (() => void) | null
}

export function AuditFilterBar({ filters, names, onApply, onClear }: AuditFilterBarProps) {
  const [draft, setDraft] = useState(filters)
  const { actor = '', action = '', target = '', from = '', to = '' } = draft
  const set = (change: AuditFilters) => setDraft({ ...draft, ...change })
  const people = [...names.keys()].map((id) => `user:${id}`)
  const actors = [...new Set([...people, 'system:operator', ...(actor === '' ? [] : [actor])])]
  return (
    <Card>
      <form
        aria-label={words.filters}
        onSubmit={(event) => {
          event.preventDefault()
          onApply({ actor, action: action.trim(), target: target.trim(), from, to })
        }}
      >
        <Stack>
          <Columns width="narrow">
            <Select
              label={words.actor}
              placeholder={words.anybody}
              data={actors.map((value) => ({ value, label: actorName(value, names) }))}
              value={actor === '' ? null : actor}
              onChange={(value) => set({ actor: value ?? '' })}
            />
            <TextInput
              label={words.action}
              placeholder={words.actionHint}
              maxLength={100}
              value={action}
              onChange={(event) => set({ action: event.currentTarget.value })}
            />
            <TextInput
              label={words.target}
              placeholder={words.targetHint}
              maxLength={100}
              value={target}
              onChange={(event) => set({ target: event.currentTarget.value })}
            />
            <TextInput
              label={words.from}
              type="date"
              value={from}
              onChange={(event) => set({ from: event.currentTarget.value })}
            />
            <TextInput
              label={words.to}
              type="date"
              value={to}
              onChange={(event) => set({ to: event.currentTarget.value })}
            />
          </Columns>
          <Group gap="sm">
            <Button type="submit" icon="filter">
              {words.apply}
            </Button>
            {onClear !== null && (
              <Button look="plain" onClick={onClear}>
                {texts.list.clear}
              </Button>
            )}
            <Text size="sm" c="dimmed">
              {words.days}
            </Text>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
