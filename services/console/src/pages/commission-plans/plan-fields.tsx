// What a plan is made of: its kind decides which of the terms there are.
import { ChooseOne } from '../../components/choose-one.tsx'
import { Columns } from '../../components/columns.tsx'
import { hintBelow, TextInput } from '../../components/fields.ts'
import { RowEditor } from '../../components/row-editor.tsx'
import { Switch } from '../../components/switch.ts'
import { planTexts as words } from '../../texts/commission-plans.ts'
import { emptyTier, type PlanDraft, partsOf, type planFaults } from '../../view-models/commission-plans.ts'
import { faultOf } from '../../view-models/faults.ts'

interface PlanFieldsProps {
  draft: PlanDraft
  onChange: (draft: PlanDraft) => void
  faults: ReturnType<typeof planFaults>
  error: Error | null
}

const tiersMax = 20

export function PlanFields({ draft, onChange, faults, error }: PlanFieldsProps) {
  const set = (change: Partial<PlanDraft>) => onChange({ ...draft, ...change })
  const parts = partsOf(draft)
  const field = (name: 'name' | 'cpa' | 'share' | 'cap', label: string, pointer: string) => ({
    label,
    value: draft[name],
    autoComplete: 'off',
    error: (name === 'name' ? undefined : faults[name]) ?? faultOf(error, pointer),
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  const currency = (name: 'currency' | 'capCurrency', pointer: string) => ({
    label: words.currency,
    maxLength: 3,
    value: draft[name],
    error: faultOf(error, pointer),
    classNames: { input: 'wds-short' },
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value.toUpperCase() }),
  })
  return (
    <>
      <TextInput {...field('name', words.name, '/name')} description={words.nameHint} required maxLength={100} />
      <ChooseOne label={words.type} words={words.types} value={draft.type} onChange={(type) => set({ type })} />
      {parts.cpa && (
        <Columns width="narrow" isShort>
          <TextInput {...field('cpa', words.cpaField, '/cpa/amount')} required inputMode="decimal" />
          <TextInput {...currency('currency', '/cpa/currency')} required />
        </Columns>
      )}
      {parts.share && (
        <TextInput
          {...field('share', words.shareField, '/revshare_bps')}
          required
          inputMode="decimal"
          classNames={{ input: 'wds-short' }}
        />
      )}
      {parts.tiers && (
        <RowEditor
          legend={words.tiersField}
          hint={words.tiersFieldHint}
          rowLabel={words.tier}
          addLabel={words.addTier}
          rows={draft.tiers}
          empty={emptyTier}
          max={tiersMax}
          error={faults.tiers ?? faultOf(error, '/tiers')}
          fields={[
            { name: 'from', label: words.tierFrom },
            { name: 'share', label: words.tierShare },
          ]}
          onChange={(tiers) => set({ tiers })}
        />
      )}
      {parts.base && (
        <ChooseOne
          label={words.baseField}
          words={words.baseChoices}
          value={draft.base}
          onChange={(base) => set({ base })}
        />
      )}
      <Columns width="narrow" isShort>
        <TextInput
          {...hintBelow}
          {...field('cap', words.capField, '/cap/amount')}
          description={words.capHint}
          inputMode="decimal"
        />
        <TextInput {...hintBelow} {...currency('capCurrency', '/cap/currency')} description={words.capCurrencyHint} />
      </Columns>
      <Switch
        label={words.carryField}
        description={words.carryHint}
        checked={draft.isCarriedOver}
        onChange={(event) => set({ isCarriedOver: event.currentTarget.checked })}
      />
    </>
  )
}
