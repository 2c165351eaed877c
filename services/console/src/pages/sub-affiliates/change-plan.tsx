// Gives a sub-affiliate another commission plan from a day on.
import type { OptionsOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import { api } from '../../api.ts'
import { AskFirst } from '../../components/ask-first.tsx'
import { TextInput } from '../../components/fields.ts'
import { Select } from '../../components/select.ts'
import { usePlanNames } from '../../plan-names.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { faultOf } from '../../view-models/faults.ts'
import type { SubAffiliate } from '../../view-models/sub-affiliates.ts'

interface ChangePlanProps {
  subAffiliate: SubAffiliate
  etag: string | null
  onClose: () => void
}

export function ChangePlan({ subAffiliate: { id, plan_id }, etag, onClose }: ChangePlanProps) {
  const [wish, setWish] = useState({ plan: plan_id, from: '' })
  // Its own plan may be beyond the first hundred.
  const names = new Map([[plan_id, plan_id], ...(usePlanNames() ?? [])])
  return (
    <AskFirst
      title={words.titles.plan}
      action={words.actions.plan}
      about={words.about.plan}
      done={words.done.plan}
      etag={etag}
      body={withoutUndefined<OptionsOf<'/v1/sub-affiliates/{id}/plan', 'post'>['body']>({
        plan_id: wish.plan,
        effective_from: wish.from === '' ? undefined : wish.from,
      })}
      send={(body, o) => api.post('/v1/sub-affiliates/{id}/plan', { path: { id }, body, ...o })}
      invalidates={['/v1/sub-affiliates']}
      onClose={onClose}
    >
      {({ error }) => (
        <>
          <Select
            label={words.plan}
            data={[...names].map(([value, label]) => ({ value, label }))}
            searchable
            allowDeselect={false}
            value={wish.plan}
            error={faultOf(error, '/plan_id')}
            onChange={(plan) => plan !== null && setWish({ ...wish, plan })}
          />
          <TextInput
            type="date"
            label={words.planFrom}
            description={words.planFromHint}
            value={wish.from}
            error={faultOf(error, '/effective_from')}
            onChange={({ currentTarget: { value: from } }) => setWish({ ...wish, from })}
          />
        </>
      )}
    </AskFirst>
  )
}
