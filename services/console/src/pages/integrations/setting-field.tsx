// One setting of a provider, as its schema wants it typed.
import { TextInput } from '../../components/fields.ts'
import { Select } from '../../components/select.ts'
import { Textarea } from '../../components/textarea.ts'
import { integrationTexts } from '../../texts/integrations.ts'
import type { SchemaField, SettingsFault } from '../../view-models/schema-form.ts'

const words = integrationTexts.form

interface SettingFieldProps {
  field: SchemaField
  value: string
  onChange: (value: string) => void
  fault: SettingsFault | undefined
  /** What the API said of it. */
  refusal: string | null
}

export function SettingField({ field, value, onChange, fault, refusal }: SettingFieldProps) {
  const { kind, label, isRequired, options } = field
  const error = fault === undefined ? refusal : words.faults[fault]
  const common = { label, description: hintOf(field) || undefined, required: isRequired, error, value }
  if (kind === 'choice' || kind === 'switch') {
    const choices =
      kind === 'choice'
        ? options.map((one) => ({ value: one, label: one }))
        : [
            { value: 'true', label: words.yes },
            { value: 'false', label: words.no },
          ]
    return <Select {...common} data={choices} clearable={!isRequired} onChange={(next) => onChange(next ?? '')} />
  }
  if (kind === 'json')
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        classNames={{ input: 'wds-mono' }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...common}
      type={kind === 'secret' ? 'password' : undefined}
      autoComplete={kind === 'secret' ? 'off' : undefined}
      inputMode={kind === 'number' ? ('numeric' as const) : undefined}
      maw={kind === 'number' ? 320 : undefined}
      placeholder={field.standard ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function hintOf({ kind, hint, min, max, standard }: SchemaField): string {
  const range = kind === 'number' && min !== null && max !== null ? words.range(min, max) : null
  const how = kind === 'list' ? words.listHint : kind === 'json' ? words.jsonHint : null
  const usual = standard === null || kind === 'json' ? null : words.standard(standard)
  return [hint, how, range, usual].filter((part) => part !== null).join(' ')
}
