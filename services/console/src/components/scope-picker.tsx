// The scopes as a table in plain words, by resource (ui.md 2). None is chosen unless somebody chooses it.
import { Checkbox, Code, Table, Text } from '@mantine/core'
import { consequences, scopeGroups } from '@wds/contracts/scope-words'
import { type Scope, scopes } from '@wds/contracts/scopes'
import { scopeTexts as words } from '../texts/scopes.ts'

interface ScopePickerProps {
  value: readonly Scope[]
  onChange: (scopes: Scope[]) => void
  hint?: string
  error?: string | null
  /** Those that can be chosen; all unless told. */
  only?: readonly string[]
  /** For an app: with what a scope brings along, as the consent page says it. */
  isOfApp?: boolean
}

export function ScopePicker({ value, onChange, hint, error = null, only = scopes, isOfApp = false }: ScopePickerProps) {
  const toggle = (scope: Scope) =>
    onChange(scopes.filter((one) => (one === scope ? !value.includes(one) : value.includes(one))))
  return (
    <fieldset className="wds-fieldset">
      <legend>{words.legend}</legend>
      {hint !== undefined && (
        <Text size="sm" c="dimmed" pb="xs">
          {hint}
        </Text>
      )}
      <Table className="wds-scopes" verticalSpacing={8}>
        <Table.Thead className="wds-hidden">
          <Table.Tr>
            <Table.Th scope="col">{words.resource}</Table.Th>
            <Table.Th scope="col">{words.allows}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {scopeGroups.flatMap(({ resource, lines }) =>
            (Object.entries(lines) as [Scope, string][])
              .filter(([scope]) => only.includes(scope))
              .map(([scope, line], nth) => (
                <Table.Tr key={scope} className={nth > 0 ? 'wds-scope-next' : ''}>
                  <Table.Th scope="row">
                    {nth === 0 ? resource : <span className="wds-hidden">{resource}</span>}
                  </Table.Th>
                  <Table.Td>
                    <Checkbox
                      checked={value.includes(scope)}
                      onChange={() => toggle(scope)}
                      label={
                        <>
                          {line} <Code>{scope}</Code>
                        </>
                      }
                      description={isOfApp ? consequences[scope] : undefined}
                    />
                  </Table.Td>
                </Table.Tr>
              )),
          )}
        </Table.Tbody>
      </Table>
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" pt="xs">
          {error}
        </Text>
      )}
    </fieldset>
  )
}
