// Time zone, base currency, waiting time and anomaly detection.
import { api, type Schemas } from '../../api.ts'
import { TextInput } from '../../components/fields.ts'
import { EditForm } from '../../components/form.tsx'
import { Select } from '../../components/select.ts'
import { Switch } from '../../components/switch.ts'
import { useEdit } from '../../edit.ts'
import { settingsTexts as words } from '../../texts/workspace-settings.ts'
import { faultOf } from '../../view-models/faults.ts'
import { timeZoneNames } from '../../view-models/time-zones.ts'

const shownZones = 50

const draftOf = ({ time_zone, base_currency, max_wait_hours, anomaly_detection }: Schemas['WorkspaceSettings']) => ({
  time_zone,
  base_currency,
  max_wait_hours,
  anomaly_detection,
})

export function DataForm({ settings, etag }: { settings: Schemas['WorkspaceSettings']; etag: string | null }) {
  const form = useEdit({
    resource: settings,
    etag,
    draftOf,
    fieldsOf: (draft) => draft,
    send: (body, version) => api.patch('/v1/settings', { body, ...version }),
    invalidates: ['/v1/settings', '/v1/stats'],
    saved: words.saved,
  })
  const { draft } = form
  return (
    <EditForm form={form} title={words.data} hint={words.dataHint}>
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
        classNames={{ input: 'wds-short' }}
        value={draft.base_currency}
        error={faultOf(form.error, '/base_currency')}
        onChange={(event) => form.set({ base_currency: event.currentTarget.value.toUpperCase() })}
      />
      <TextInput
        label={words.maxWait}
        description={words.maxWaitHint}
        inputMode="numeric"
        maxLength={3}
        classNames={{ input: 'wds-short' }}
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
    </EditForm>
  )
}
