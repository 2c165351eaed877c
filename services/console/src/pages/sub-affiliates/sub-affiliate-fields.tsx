// Who it is, by which plan it earns, and how it joins.
import { ChooseOne } from '../../components/choose-one.tsx'
import { Columns } from '../../components/columns.tsx'
import { hintBelow, TextInput } from '../../components/fields.ts'
import { Select } from '../../components/select.ts'
import { Text } from '../../components/text.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import type { Plan } from '../../view-models/commission-plans.ts'
import { faultOf } from '../../view-models/faults.ts'
import type { SubAffiliateDraft, SubAffiliateFaults } from '../../view-models/sub-affiliates.ts'

interface SubAffiliateFieldsProps {
  draft: SubAffiliateDraft
  onChange: (draft: SubAffiliateDraft) => void
  plans: readonly Plan[]
  faults: SubAffiliateFaults
  error: Error | null
}

export function SubAffiliateFields({ draft, onChange, plans, faults, error }: SubAffiliateFieldsProps) {
  const set = (change: Partial<SubAffiliateDraft>) => onChange({ ...draft, ...change })
  const field = (name: Exclude<keyof SubAffiliateDraft, 'plan' | 'joining'>, label: string, pointer: string) => ({
    label,
    value: draft[name],
    autoComplete: 'off',
    error: (name in faults ? faults[name as keyof typeof faults] : null) ?? faultOf(error, pointer),
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  return (
    <>
      <TextInput {...field('name', words.name, '/name')} required maxLength={100} />
      <TextInput
        {...field('email', words.email, '/email')}
        type="email"
        description={words.emailHint}
        required
        maxLength={254}
      />
      <TextInput
        {...field('externalId', words.externalId, '/external_id')}
        description={words.externalIdHint}
        maxLength={100}
        spellCheck={false}
      />
      <Select
        label={words.plan}
        data={plans.map(({ id: value, name: label }) => ({ value, label }))}
        searchable
        allowDeselect={false}
        value={draft.plan}
        error={faultOf(error, '/plan_id')}
        onChange={(plan) => plan !== null && set({ plan })}
      />
      <TextInput {...field('from', words.planFrom, '/effective_from')} type="date" description={words.planFromHint} />
      <Columns width="narrow" isShort>
        <TextInput
          {...hintBelow}
          {...field('currency', words.currency, '/payout_currency')}
          description={words.currencyHint}
          required
          maxLength={3}
          onChange={(event) => set({ currency: event.currentTarget.value.toUpperCase() })}
        />
        <TextInput
          {...hintBelow}
          {...field('least', words.minimumIn(draft.currency), '/minimum_payout')}
          description={words.minimumHint}
          inputMode="decimal"
        />
      </Columns>
      <ChooseOne
        label={words.joins}
        words={words.joining}
        value={draft.joining}
        onChange={(joining) => set({ joining })}
      />
      {draft.joining === 'invite' && (
        <Text size="sm" c="dimmed">
          {words.createHint}
        </Text>
      )}
    </>
  )
}
