// Time zone, base currency, waiting time and anomaly detection.
import { api, type Schemas } from '../../api.ts'
import { TextInput } from '../../components/fields.ts'
import { Select } from '../../components/select.ts'
import { Switch } from '../../components/switch.ts'
import { settingsTexts as words } from '../../texts/workspace-settings.ts'
import { faultOf } from '../../view-models/faults.ts'
import { timeZoneNames } from '../../view-models/time-zones.ts'
import { FormCard } from './form-card.tsx'
import { useForm } from './use-form.ts'

const shownZones = 50

export function DataForm({
  settings: { time_zone, base_currency, max_wait_hours, anomaly_detection },
  etag,
}: {
  settings: Schemas['WorkspaceSettings']
  etag: string | null
}) {
  const current = { draft: { time_zone, base_currency, max_wait_hours, anomaly_detection }, etag }
  const form = useForm({
    current,
    send: (patch, ifMatch) => api.patch('/v1/settings', { body: patch, ...(ifMatch === null ? {} : { ifMatch }) }),
    invalidates: ['/v1/settings', '/v1/stats'],
  })
  const { draft } = form
  return (
    <FormCard title={words.data} hint={words.dataHint} form={form} theirs={current.draft}>
      <Select
        label={words.timeZone}
        description={words.timeZoneHint}
        data={timeZoneNames(draft.time_zone)}
        searchable
        limit={shownZones}
        allowDeselect={false}
        value={draft.time_zone}
        error={faultOf(form.error, '/time_zone')}
        onChange={(zone) => zone !== null && form.set({ time_zone: zone })}
      />
      <TextInput
        label={words.currency}
        description={words.currencyHint}
        maxLength={3}
        maw={220}
        value={draft.base_currency}
        error={faultOf(form.error, '/base_currency')}
        onChange={(event) => form.set({ base_currency: event.currentTarget.value.toUpperCase() })}
      />
      <TextInput
        label={words.maxWait}
        description={words.maxWaitHint}
        inputMode="numeric"
        maxLength={3}
        maw={220}
        value={String(draft.max_wait_hours)}
        error={faultOf(form.error, '/max_wait_hours')}
        onChange={(event) => form.set({ max_wait_hours: Number(event.currentTarget.value.replaceAll(/\D/g, '')) })}
      />
      <Switch
        label={words.anomalies}
        description={words.anomaliesHint}
        checked={draft.anomaly_detection}
        onChange={(event) => form.set({ anomaly_detection: event.currentTarget.checked })}
      />
    </FormCard>
  )
}
