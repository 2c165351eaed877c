// The fields of a campaign that are the workspace's own. Its deal and metadata are left to the API.
import { api } from '../../api.ts'
import { Columns } from '../../components/columns.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { hintBelow, TextInput } from '../../components/fields.ts'
import { EditForm } from '../../components/form.tsx'
import { TextRows } from '../../components/text-rows.tsx'
import { useEdit } from '../../edit.ts'
import { campaignTexts as words } from '../../texts/campaigns.ts'
import { type Campaign, campaignDraft, campaignFields } from '../../view-models/campaigns.ts'
import { faultOf } from '../../view-models/faults.ts'

const tagsMax = 20
const urlMax = 2_048

export function EditCampaign({ campaign, etag }: { campaign: Campaign; etag: string | null }) {
  const { id } = campaign
  const form = useEdit({
    resource: campaign,
    etag,
    draftOf: campaignDraft,
    fieldsOf: campaignFields,
    send: (body, version) => api.patch('/v1/campaigns/{id}', { path: { id }, body, ...version }),
    invalidates: ['/v1/campaigns'],
    saved: words.saved,
  })
  const { draft, error } = form
  const field = (name: Exclude<keyof typeof draft, 'tags'>, label: string) => ({
    label,
    value: draft[name],
    error: faultOf(error, `/${name}`),
    onChange: (event: { currentTarget: { value: string } }) => form.set({ [name]: event.currentTarget.value }),
  })
  return (
    <EditForm
      form={form}
      title={words.edit}
      beside={<CurlView method="patch" path={`/v1/campaigns/${id}`} body={form.patch} />}
    >
      <TextInput {...field('name', words.name)} description={words.nameHint} required maxLength={100} />
      <TextRows
        legend={words.tags}
        hint={words.tagsHint}
        addLabel={words.addTag}
        rowLabel={words.oneTag}
        rows={draft.tags}
        max={tagsMax}
        faults={[]}
        error={faultOf(error, '/tags')}
        onChange={(tags) => form.set({ tags })}
      />
      <TextInput
        {...field('tracking_url', words.trackingUrl)}
        inputMode="url"
        description={words.trackingHint}
        maxLength={urlMax}
        spellCheck={false}
      />
      <TextInput
        {...field('landing_url', words.landingUrl)}
        type="url"
        description={words.addressHint}
        maxLength={urlMax}
        spellCheck={false}
      />
      <TextInput {...field('countries', words.countries)} description={words.countriesHint} spellCheck={false} />
      <Columns width="narrow" isShort>
        <TextInput {...hintBelow} {...field('starts', words.starts)} type="date" />
        <TextInput {...hintBelow} {...field('ends', words.ends)} type="date" />
      </Columns>
    </EditForm>
  )
}
