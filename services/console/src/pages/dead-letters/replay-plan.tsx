// What a dry run counted: by subscription and type, from when to when, and what is left out.

import type { Schemas } from '../../api.ts'
import { Facts } from '../../components/facts.tsx'
import { Stack } from '../../components/layout.ts'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Text } from '../../components/text.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { countText } from '../../view-models/numbers.ts'
import { leftOutWords } from '../../view-models/replays.ts'
import { useSubscriptionNames } from './use-subscription-names.ts'

export function ReplayPlan({ plan }: { plan: Schemas['ReplayDryRun'] }) {
  const nameOf = useSubscriptionNames()
  const lines = (counts: Readonly<Record<string, number>>, name: (key: string) => string = (key) => key) => (
    <Stack gap={2}>
      {Object.entries(counts).map(([key, count]) => (
        <Text key={key} size="sm">
          {name(key)}: {countText(count)}
        </Text>
      ))}
    </Stack>
  )
  const left = Object.entries(plan.left_out)
  const facts = [
    { name: words.bySubscription, value: lines(plan.by_webhook, nameOf) },
    { name: words.byType, value: lines(plan.by_type) },
    {
      name: words.period,
      value: (
        <Text size="sm" component="span">
          <RelativeTime at={plan.oldest} /> {words.to} <RelativeTime at={plan.newest} />
        </Text>
      ),
    },
    ...left.map(([reason, count]) => ({
      name: words.leftOut,
      value: <Text size="sm">{words.leftOutLine(count, leftOutWords(reason))}</Text>,
    })),
  ]
  return (
    <Stack gap="sm">
      {plan.matched > 0 && <Text fw={600}>{words.plan(plan.matched)}</Text>}
      {!plan.complete && <Text size="sm">{words.incomplete}</Text>}
      <Facts facts={plan.matched > 0 ? facts : facts.slice(3)} />
    </Stack>
  )
}
