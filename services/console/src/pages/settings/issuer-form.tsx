// Who issues the workspace's invoices, and where they are paid to.
import { api, type Schemas } from '../../api.ts'
import { TextInput } from '../../components/fields.ts'
import { EditForm } from '../../components/form.tsx'
import { TextRows } from '../../components/text-rows.tsx'
import { useEdit } from '../../edit.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import { settingsTexts } from '../../texts/workspace-settings.ts'
import { faultOf } from '../../view-models/faults.ts'
import { issuerDraft, issuerFields } from '../../view-models/invoices.ts'

const draftOf = ({ issuer }: Schemas['WorkspaceSettings']) => issuerDraft(issuer)
const addressLinesMax = 5

export function IssuerForm({ settings, etag }: { settings: Schemas['WorkspaceSettings']; etag: string | null }) {
  const form = useEdit({
    resource: settings,
    etag,
    draftOf,
    fieldsOf: (draft) => ({ issuer: issuerFields(draft) }),
    send: (body, version) => api.patch('/v1/settings', { body, ...version }),
    invalidates: ['/v1/settings'],
    saved: settingsTexts.saved,
  })
  const { draft, error } = form
  const field = (name: Exclude<keyof typeof draft, 'address'>, label: string, maxLength: number) => ({
    label,
    maxLength,
    value: draft[name],
    error: faultOf(error, `/issuer/${name}`),
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => form.set({ [name]: event.currentTarget.value }),
  })
  return (
    <EditForm form={form} title={words.issuer} hint={words.issuerHint}>
      <TextInput {...field('legal_name', words.legalName, 200)} required />
      <TextRows
        legend={words.addressLines}
        hint={words.addressHint}
        addLabel={words.addAddressLine}
        rowLabel={words.addressLine}
        rows={draft.address}
        max={addressLinesMax}
        faults={draft.address.map((_, at) => faultOf(error, `/issuer/address/${at}`))}
        error={faultOf(error, '/issuer/address')}
        onChange={(address) => form.set({ address })}
      />
      <TextInput
        {...field('country', words.country, 2)}
        required
        description={words.countryHint}
        classNames={{ input: 'wds-short' }}
        onChange={(event) => form.set({ country: event.currentTarget.value.toUpperCase() })}
      />
      <TextInput {...field('tax_id', words.taxId, 40)} description={words.taxIdHint} />
      <TextInput {...field('iban', words.iban, 42)} autoComplete="off" />
      <TextInput {...field('bic', words.bic, 11)} autoComplete="off" />
      <TextInput
        {...field('bank_account', words.bankAccount, 60)}
        description={words.bankAccountHint}
        autoComplete="off"
      />
    </EditForm>
  )
}
