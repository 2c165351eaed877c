// The event types as subscribed; a wildcard opens to what it matches today.
import { Card } from '../../components/card.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Stack } from '../../components/layout.ts'
import { RouteLink } from '../../components/route-link.tsx'
import { Code, Text } from '../../components/text.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import { matchedTypes } from '../../view-models/event-patterns.ts'
import { useCatalogTypes } from './use-catalog-types.ts'

export function SubscribedTypes({ patterns }: { patterns: readonly string[] }) {
  const types = useCatalogTypes()
  return (
    <Card title={words.types} hint={words.typesHint}>
      <Stack gap="xs">
        {patterns.map((pattern) => {
          const matched = matchedTypes([pattern], types)
          if (!pattern.endsWith('*'))
            return <TypeLine key={pattern} type={pattern} meaning={matched[0]?.meaning ?? ''} />
          return (
            <Disclosure
              key={pattern}
              title={
                <>
                  <Code>{pattern}</Code>{' '}
                  <Text size="sm" c="dimmed" span>
                    {words.wildcard(matched.length)}
                  </Text>
                </>
              }
            >
              <Stack gap="xs" pl="lg">
                {matched.map(({ type, meaning }) => (
                  <TypeLine key={type} type={type} meaning={meaning} />
                ))}
              </Stack>
            </Disclosure>
          )
        })}
      </Stack>
    </Card>
  )
}

function TypeLine({ type, meaning }: { type: string; meaning: string }) {
  return (
    <div>
      <RouteLink to={`event-catalog/${type}`}>
        <Code>{type}</Code>
      </RouteLink>
      <Text size="sm" c="dimmed">
        {meaning}
      </Text>
    </div>
  )
}
