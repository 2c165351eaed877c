// When an integration runs, and how far back it looks. One that takes files has neither.
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { hintBelow, TextInput } from '../../components/fields.ts'
import { Select } from '../../components/select.ts'
import { integrationTexts } from '../../texts/integrations.ts'
import { faultOf } from '../../view-models/faults.ts'
import { dailyMinutes, type IntegrationDraft, intervals } from '../../view-models/integration-draft.ts'
import { scheduleText } from '../../view-models/integration-health.ts'

const words = integrationTexts.form

interface ScheduleFieldsProps {
  draft: IntegrationDraft
  set: (change: Partial<IntegrationDraft>) => void
  error: Error | null
  isNew: boolean
}

const digits = (text: string) => text.replaceAll(/\D/g, '')

export function ScheduleFields({ draft, set, error, isNew }: ScheduleFieldsProps) {
  const { everyMinutes: every } = draft
  const known: readonly string[] = intervals
  const choices = [...new Set(every === '' ? known : [...known, every])].map((value) => ({
    value,
    label: scheduleText({ every_minutes: Number(value) }, ''),
  }))
  return (
    <Card title={words.when}>
      <Columns>
        <Select
          {...hintBelow}
          label={words.every}
          data={isNew ? [{ value: '', label: words.byDefault }, ...choices] : choices}
          value={every}
          allowDeselect={false}
          error={faultOf(error, '/schedule/every_minutes')}
          onChange={(value) => set({ everyMinutes: value ?? '' })}
        />
        {every === dailyMinutes && (
          <TextInput
            {...hintBelow}
            label={words.at}
            description={words.atHint}
            placeholder="03:00"
            value={draft.at}
            error={faultOf(error, '/schedule/at')}
            onChange={(event) => set({ at: event.currentTarget.value })}
          />
        )}
        <TextInput
          {...hintBelow}
          label={words.lookback}
          description={words.lookbackHint}
          inputMode="numeric"
          value={draft.lookbackDays}
          error={faultOf(error, '/lookback_days')}
          onChange={(event) => set({ lookbackDays: digits(event.currentTarget.value) })}
        />
        {isNew && (
          <TextInput
            {...hintBelow}
            label={words.backfill}
            description={words.backfillHint(90)}
            inputMode="numeric"
            value={draft.initialBackfillDays}
            error={faultOf(error, '/initial_backfill_days')}
            onChange={(event) => set({ initialBackfillDays: digits(event.currentTarget.value) })}
          />
        )}
        <TextInput
          {...hintBelow}
          label={words.settle}
          description={words.settleHint}
          inputMode="numeric"
          value={draft.settleHours}
          error={faultOf(error, '/settle_hours')}
          onChange={(event) => set({ settleHours: digits(event.currentTarget.value) })}
        />
      </Columns>
    </Card>
  )
}
