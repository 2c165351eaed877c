// The fields of a subscription, for a new one and for its settings.
import { Card } from '../../components/card.tsx'
import { EventTypePicker } from '../../components/event-type-picker.tsx'
import { TextInput } from '../../components/fields.ts'
import { Stack } from '../../components/layout.ts'
import { RowEditor } from '../../components/row-editor.tsx'
import { webhookFormTexts as words } from '../../texts/webhook-form.ts'
import { faultOf } from '../../view-models/faults.ts'
import { filterOps, urlFault, type WebhookDraft } from '../../view-models/webhook-draft.ts'
import { useCatalogTypes } from './use-catalog-types.ts'

interface WebhookFieldsProps {
  draft: WebhookDraft
  onChange: (draft: WebhookDraft) => void
  error: Error | null
}

export function WebhookFields({ draft, onChange, error }: WebhookFieldsProps) {
  const types = useCatalogTypes()
  const set = (change: Partial<WebhookDraft>) => onChange({ ...draft, ...change })
  const typed = draft.url.length > 8 ? urlFault(draft.url) : null
  return (
    <>
      <Card title={words.where}>
        <Stack>
          <TextInput
            label={words.url}
            description={words.urlHint}
            placeholder="https://example.com/hooks"
            type="url"
            required
            value={draft.url}
            error={faultOf(error, '/url') ?? typed}
            onChange={(event) => set({ url: event.currentTarget.value })}
          />
          <TextInput
            label={words.description}
            description={words.descriptionHint}
            maxLength={255}
            value={draft.description}
            error={faultOf(error, '/description')}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
        </Stack>
      </Card>
      <Card title={words.what}>
        <Stack>
          <EventTypePicker
            types={types}
            value={draft.events}
            onChange={(events) => set({ events })}
            error={faultOf(error, '/events')}
          />
          <RowEditor
            legend={words.filter}
            hint={words.filterHint}
            rowLabel={words.condition}
            addLabel={words.addCondition}
            fields={[
              { name: 'pointer', label: words.pointer, placeholder: '/data/status' },
              { name: 'op', label: words.op, options: filterOps },
              { name: 'value', label: words.value },
            ]}
            rows={draft.filter}
            empty={{ pointer: '', op: 'eq', value: '' }}
            max={10}
            error={faultOf(error, '/filter')}
            onChange={(filter) => set({ filter })}
          />
        </Stack>
      </Card>
      <Card title={words.how}>
        <Stack>
          <RowEditor
            legend={words.headers}
            hint={words.headersHint}
            rowLabel={words.header}
            addLabel={words.addHeader}
            fields={[
              { name: 'name', label: words.headerName },
              { name: 'value', label: words.headerValue },
            ]}
            rows={draft.headers}
            empty={{ name: '', value: '' }}
            max={20}
            error={faultOf(error, '/headers')}
            onChange={(headers) => set({ headers })}
          />
          <TextInput
            label={words.rateLimit}
            description={words.rateLimitHint}
            inputMode="numeric"
            maw={220}
            value={draft.rateLimit}
            error={faultOf(error, '/rate_limit')}
            onChange={(event) => set({ rateLimit: event.currentTarget.value.replaceAll(/\D/g, '') })}
          />
        </Stack>
      </Card>
    </>
  )
}
