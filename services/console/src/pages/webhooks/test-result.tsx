// The delivery of a test event, read again until it has ended or failed once.
import { useEffect } from 'react'
import { CodeBox } from '../../components/code-box.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useRead } from '../../queries.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import { causeOf } from '../../view-models/attempt-words.ts'
import { durationText } from '../../view-models/relative-time.ts'

const againMs = 700

export function TestResult({ deliveryId, webhookId }: { deliveryId: string; webhookId: string }) {
  const { data, refetch, asOfMs, error } = useRead('/v1/deliveries/{id}', { path: { id: deliveryId } })
  const attempt = data?.attempts.findLast(({ outcome }) => outcome !== 'started')
  const isWaiting = attempt === undefined && error === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer asks for the next one
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(refetch, againMs)
    return () => clearTimeout(timer)
  }, [isWaiting, asOfMs])
  const text = attempt === undefined ? null : (causeOf(attempt) ?? words.delivered)
  useEffect(() => {
    if (text !== null) announce(`${words.result}: ${text}`)
  }, [text])
  if (attempt === undefined && error !== null) return <ProblemNote error={error} onTryAgain={refetch} />
  if (attempt === undefined)
    return (
      <Text size="sm" c="dimmed">
        {words.sending}
      </Text>
    )
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <StatusBadge status={attempt.outcome} />
        <Text size="sm">{text}</Text>
        {attempt.duration_ms !== null && (
          <Text size="sm" c="dimmed">
            {durationText(attempt.duration_ms)}
          </Text>
        )}
        <Text size="sm" span>
          <RouteLink to={`webhooks/${webhookId}/history/${deliveryId}`}>{words.inHistory}</RouteLink>
        </Text>
      </Group>
      {attempt.response_excerpt !== null && attempt.response_excerpt !== '' && (
        <CodeBox label={words.result}>{attempt.response_excerpt}</CodeBox>
      )}
    </Stack>
  )
}
