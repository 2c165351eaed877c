// Everything that is set on a rule: what triggers it, what it looks at, its conditions, what it does, its brakes.
import { Checkbox } from '../../components/choices.ts'
import { Columns } from '../../components/columns.tsx'
import { TextInput } from '../../components/fields.ts'
import { Stack } from '../../components/layout.ts'
import { RowEditor } from '../../components/row-editor.tsx'
import { Select } from '../../components/select.ts'
import { Switch } from '../../components/switch.ts'
import { ruleTexts as words } from '../../texts/automation-rules.ts'
import {
  actionTypes,
  countMetrics,
  emptyCondition,
  emptyLeast,
  numberFault,
  ops,
  type RuleDraft,
  ruleMetrics,
  severities,
  subjectTypes,
  windows,
  windowText,
} from '../../view-models/automation-rules.ts'
import { faultOf, faultOfList } from '../../view-models/faults.ts'
import { useCatalogTypes } from '../webhooks/use-catalog-types.ts'
import { type PartProps, TriggerFields } from './trigger-fields.tsx'

interface RuleFieldsProps {
  draft: RuleDraft
  onChange: (draft: RuleDraft) => void
  error: Error | null
}

export function RuleFields({ draft, onChange, error }: RuleFieldsProps) {
  const set = (change: Partial<RuleDraft>) => onChange({ ...draft, ...change })
  const types = useCatalogTypes().map(({ type }) => type)
  return (
    <Stack gap="lg">
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        maxLength={100}
        autoComplete="off"
        value={draft.name}
        error={faultOf(error, '/name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TriggerFields draft={draft} set={set} error={error} types={types} />
      <SubjectFields draft={draft} set={set} error={error} />
      <RowEditor
        legend={words.conditions}
        hint={words.conditionsHint}
        rowLabel={words.condition}
        addLabel={words.addCondition}
        rows={draft.conditions}
        empty={emptyCondition}
        max={10}
        error={faultOfList(error, '/conditions')}
        faultOf={({ value }, name, at) => {
          const refusal = faultOf(error, `/conditions/${at}/${name}`)
          return name === 'value' ? numberFault(value, refusal) : refusal
        }}
        fields={[
          { name: 'metric', label: words.metric, options: withOwn(ruleMetrics, draft.conditions) },
          { name: 'op', label: words.op, options: ops.map((value) => ({ value, label: words.ops[value] })) },
          { name: 'value', label: words.value },
          { name: 'currency', label: words.currency },
        ]}
        onChange={(conditions) => set({ conditions })}
      />
      <RowEditor
        legend={words.least}
        hint={words.leastHint}
        rowLabel={words.leastRow}
        addLabel={words.addLeast}
        rows={draft.least}
        empty={emptyLeast}
        max={10}
        error={faultOfList(error, '/min_sample')}
        faultOf={({ metric, value }, name) =>
          name === 'value' ? numberFault(value, faultOf(error, `/min_sample/${metric}`)) : null
        }
        fields={[
          { name: 'metric', label: words.metric, options: withOwn(countMetrics, draft.least) },
          { name: 'value', label: words.value },
        ]}
        onChange={(least) => set({ least })}
      />
      <ActionFields draft={draft} set={set} error={error} />
    </Stack>
  )
}

/** What a rule names already can be chosen, too. */
const withOwn = (known: readonly string[], rows: readonly { metric: string }[]) => [
  ...new Set([...known, ...rows.map(({ metric }) => metric)]),
]

function SubjectFields({ draft, set, error }: PartProps) {
  const lists = [
    ['brands', words.brands, '/scope/brand_slugs'],
    ['campaigns', words.campaigns, '/scope/campaign_ids'],
    ['integrations', words.integrations, '/scope/integration_ids'],
  ] as const
  return (
    <>
      <Columns>
        <Select
          label={words.subjectType}
          data={subjectTypes.map((value) => ({ value, label: words.subjects[value] }))}
          allowDeselect={false}
          value={draft.subjectType}
          error={faultOf(error, '/subject_type')}
          onChange={(value) => value !== null && set({ subjectType: value as RuleDraft['subjectType'] })}
        />
        <Select
          label={words.window}
          data={[...new Set([...windows, draft.window])].map((value) => ({ value, label: windowText(value) }))}
          allowDeselect={false}
          value={draft.window}
          error={faultOf(error, '/window')}
          onChange={(window) => window !== null && set({ window })}
        />
      </Columns>
      <Columns>
        {lists.map(([name, label, pointer]) => (
          <TextInput
            key={name}
            label={label}
            description={words.listHint}
            autoComplete="off"
            value={draft[name]}
            error={faultOf(error, pointer)}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
      </Columns>
      <Switch
        label={words.finalOnly}
        checked={draft.finalOnly}
        onChange={(event) => set({ finalOnly: event.currentTarget.checked })}
      />
    </>
  )
}

function ActionFields({ draft, set, error }: PartProps) {
  return (
    <>
      <Checkbox.Group
        label={words.acts}
        value={draft.actions}
        error={faultOf(error, '/actions')}
        onChange={(actions) => set({ actions })}
      >
        {actionTypes.map((type) => (
          <Checkbox key={type} value={type} label={words.actions[type]} mt="xs" />
        ))}
      </Checkbox.Group>
      {draft.actions.includes('create_anomaly') && (
        <Select
          label={words.severity}
          data={[...severities]}
          allowDeselect={false}
          value={draft.severity}
          onChange={(severity) => severity !== null && set({ severity })}
        />
      )}
      <Columns>
        <TextInput
          label={words.cooldownField}
          inputMode="numeric"
          value={draft.cooldown}
          error={faultOf(error, '/cooldown_minutes')}
          onChange={(event) => set({ cooldown: event.currentTarget.value })}
        />
        <TextInput
          label={words.mostADayField}
          inputMode="numeric"
          value={draft.mostADay}
          error={faultOf(error, '/max_fires_per_day')}
          onChange={(event) => set({ mostADay: event.currentTarget.value })}
        />
      </Columns>
      <Switch
        label={words.dryField}
        description={words.dryFieldHint}
        checked={draft.dryRun}
        onChange={(event) => set({ dryRun: event.currentTarget.checked })}
      />
    </>
  )
}
