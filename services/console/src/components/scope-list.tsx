// Scopes in plain words, by resource, as the consent page says them.
import { Text } from '@mantine/core'
import { consequences, inWords } from '@wds/contracts/scope-words'
import { isScope } from '@wds/contracts/scopes'

/** `isFull`: with what a scope brings along. */
export function ScopeList({ scopes, isFull = false }: { scopes: readonly string[]; isFull?: boolean }) {
  return (
    <dl className="wds-scope-list">
      {inWords(scopes.filter(isScope)).map(({ resource, lines }) => (
        <div key={resource}>
          <dt>{resource}</dt>
          {lines.map(({ scope, text }) => (
            <dd key={scope}>
              {text}
              {isFull && consequences[scope] !== undefined && (
                <Text size="sm" fw={600} pt={4}>
                  {consequences[scope]}
                </Text>
              )}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
