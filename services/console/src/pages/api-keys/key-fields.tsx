// The fields that a key has from its making to its end.
import { TextInput } from '../../components/fields.ts'
import { Stack } from '../../components/layout.ts'
import { ScopePicker } from '../../components/scope-picker.tsx'
import { TextRows } from '../../components/text-rows.tsx'
import { apiKeyTexts as words } from '../../texts/api-keys.ts'
import { cidrsMax, type KeyDraft, rowFaultsOf } from '../../view-models/api-key-draft.ts'
import { faultOf } from '../../view-models/faults.ts'

interface KeyFieldsProps {
  draft: KeyDraft
  onChange: (draft: KeyDraft) => void
  error: Error | null
  /** True after a try to send: what is missing is named. */
  wasTried: boolean
}

export function KeyFields({ draft, onChange, error, wasTried }: KeyFieldsProps) {
  const set = (change: Partial<KeyDraft>) => onChange({ ...draft, ...change })
  const missing = (is: boolean, text: string) => (wasTried && is ? text : null)
  return (
    <Stack gap="lg">
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        maxLength={255}
        autoComplete="off"
        value={draft.name}
        error={missing(draft.name.trim() === '', words.nameNeeded) ?? faultOf(error, '/name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <ScopePicker
        value={draft.scopes}
        hint={words.scopesHint}
        error={missing(draft.scopes.length === 0, words.scopeNeeded) ?? faultOf(error, '/scopes')}
        onChange={(scopes) => set({ scopes })}
      />
      <TextRows
        legend={words.cidrs}
        hint={words.cidrsHint}
        rowLabel={words.cidr}
        addLabel={words.addCidr}
        placeholder="203.0.113.0/24"
        rows={draft.cidrs}
        faults={rowFaultsOf(draft.cidrs, (place) => faultOf(error, `/cidrs/${place}`))}
        max={cidrsMax}
        onChange={(cidrs) => set({ cidrs })}
      />
    </Stack>
  )
}
