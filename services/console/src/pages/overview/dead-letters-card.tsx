// What was given up in the last seven days, by cause; for owners and admins.
import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useRead } from '../../queries.ts'
import { overviewTexts as words } from '../../texts/overview.ts'
import { deadLetterName } from '../../view-models/attempt-words.ts'
import { countText } from '../../view-models/numbers.ts'

const weekMs = 7 * 86_400_000
const shownMax = 4

export function DeadLettersCard() {
  const [since] = useState(() => new Date(Date.now() - weekMs).toISOString())
  const reading = useRead('/v1/dead-letters/causes', { query: { since } }, { pace: 'slow' })
  return (
    <Card title={words.dead} actions={<RouteLink to="dead-letters">{words.allDead}</RouteLink>}>
      <Loaded source={reading} rows={3}>
        {({ data: causes }) => {
          const count = causes.reduce((sum, cause) => sum + cause.count, 0)
          if (count === 0) return <Text size="sm">{words.deadNone}</Text>
          const facts = causes
            .slice(0, shownMax)
            .map((cause) => ({ name: deadLetterName(cause), value: countText(cause.count) }))
          return (
            <Stack gap="sm">
              <Text fw={600}>{words.deadCount(count)}</Text>
              <Facts facts={facts} />
            </Stack>
          )
        }}
      </Loaded>
    </Card>
  )
}
