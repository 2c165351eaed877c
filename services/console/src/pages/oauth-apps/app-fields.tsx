// The fields that an app has from registration to its end: name, redirect URLs with the reason at the row, scopes.
import { TextInput } from '../../components/fields.ts'
import { Stack } from '../../components/layout.ts'
import { ScopePicker } from '../../components/scope-picker.tsx'
import { TextRows } from '../../components/text-rows.tsx'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { faultOf } from '../../view-models/faults.ts'
import { type AppDraft, redirectUrlsMax, rowFaults, rowOfPlace } from '../../view-models/oauth-app-draft.ts'

interface AppFieldsProps {
  draft: AppDraft
  onChange: (draft: AppDraft) => void
  error: Error | null
  /** Pointer of the object that has the fields: `/app` in the form of a registration, else ''. */
  at: string
  /** True after a try to send: what is missing is named. */
  wasTried: boolean
}

export function AppFields({ draft, onChange, error, at, wasTried }: AppFieldsProps) {
  const set = (change: Partial<AppDraft>) => onChange({ ...draft, ...change })
  const refused = draft.redirectUrls.map((_, row) => {
    const place = draft.redirectUrls.findIndex((__, nth) => rowOfPlace(draft, nth) === row)
    return place < 0 ? null : faultOf(error, `${at}/redirect_urls/${place}`)
  })
  const own = rowFaults(draft)
  const missing = (is: boolean, text: string) => (wasTried && is ? text : null)
  return (
    <Stack gap="lg">
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        maxLength={50}
        autoComplete="off"
        value={draft.name}
        error={faultOf(error, `${at}/name`) ?? missing(draft.name.trim().length < 3, words.nameHint)}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextRows
        legend={words.redirectUrls}
        hint={words.redirectHint}
        rowLabel={words.redirectUrl}
        addLabel={words.addUrl}
        placeholder="https://app.example.com/callback"
        rows={draft.redirectUrls}
        faults={own.map((fault, row) => fault ?? refused[row] ?? null)}
        error={missing(
          draft.redirectUrls.every((url) => url.trim() === ''),
          words.urlNeeded,
        )}
        max={redirectUrlsMax}
        onChange={(redirectUrls) => set({ redirectUrls })}
      />
      <ScopePicker
        isOfApp
        value={draft.scopes}
        hint={words.scopesHint}
        error={faultOf(error, `${at}/scopes`) ?? missing(draft.scopes.length === 0, words.scopeNeeded)}
        onChange={(scopes) => set({ scopes })}
      />
    </Stack>
  )
}
