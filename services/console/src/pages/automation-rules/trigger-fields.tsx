// What triggers a rule: a schedule, a type of event, or an anomaly.
import { TextInput } from '../../components/fields.ts'
import { Stack } from '../../components/layout.ts'
import { Select } from '../../components/select.ts'
import { ruleTexts as words } from '../../texts/automation-rules.ts'
import { anomalyMetrics } from '../../view-models/anomalies.ts'
import { type RuleDraft, triggerTypes } from '../../view-models/automation-rules.ts'
import { faultOf } from '../../view-models/faults.ts'

/** What each part of the form has. */
export interface PartProps {
  draft: RuleDraft
  set: (change: Partial<RuleDraft>) => void
  error: Error | null
}

/** `types`: of the event catalog, once they are there. */
export function TriggerFields({ draft, set, error, types }: PartProps & { types: readonly string[] }) {
  const { triggerType } = draft
  return (
    <Stack gap="sm">
      <Select
        label={words.triggerType}
        data={triggerTypes.map((value) => ({ value, label: words.triggerTypes[value] }))}
        allowDeselect={false}
        value={triggerType}
        error={faultOf(error, '/trigger/type')}
        onChange={(value) => value !== null && set({ triggerType: value as RuleDraft['triggerType'] })}
      />
      {triggerType === 'schedule' && (
        <TextInput
          label={words.everyMinutes}
          inputMode="numeric"
          value={draft.everyMinutes}
          error={faultOf(error, '/trigger/every_minutes')}
          onChange={(event) => set({ everyMinutes: event.currentTarget.value })}
        />
      )}
      {triggerType === 'event' && (
        <Select
          label={words.eventType}
          data={[...new Set([draft.eventType, ...types])].sort()}
          searchable
          allowDeselect={false}
          value={draft.eventType}
          error={faultOf(error, '/trigger/event_type')}
          onChange={(eventType) => eventType !== null && set({ eventType })}
        />
      )}
      {triggerType === 'anomaly' && (
        <Select
          label={words.anomalyMetric}
          data={[{ value: '', label: words.anyMetric }, ...new Set([...anomalyMetrics, draft.anomalyMetric])].filter(
            (one) => one !== '',
          )}
          allowDeselect={false}
          value={draft.anomalyMetric}
          error={faultOf(error, '/trigger/metric')}
          onChange={(anomalyMetric) => anomalyMetric !== null && set({ anomalyMetric })}
        />
      )}
    </Stack>
  )
}
