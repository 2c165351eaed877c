// The attempts of a delivery, epoch by epoch, and the next one (ui.md 4). What is shown is decided by the view model.
import { Group, Timeline as LibraryTimeline, Stack, Text, Title } from '@mantine/core'
import { statusTokenOf } from '../status-tokens.ts'
import { historyTexts as words } from '../texts/history.ts'
import { causeOf } from '../view-models/attempt-words.ts'
import { countdownText, durationText } from '../view-models/relative-time.ts'
import type { Timeline, TimelineAttempt } from '../view-models/timeline.ts'
import { Icon } from './icon.tsx'
import { RelativeTime, useNow } from './relative-time.tsx'
import { StatusBadge } from './status-badge.tsx'

export function AttemptTimeline<A extends TimelineAttempt>({ timeline }: { timeline: Timeline<A> }) {
  return (
    <Stack gap="md">
      {timeline.next !== null && <Next {...timeline.next} />}
      {timeline.epochs.map(({ epoch, requested, attempts }) => (
        <Stack key={epoch} gap="xs">
          {(timeline.epochs.length > 1 || requested !== null) && (
            <Group gap={6}>
              <Title order={4} size="sm">
                {requested === null ? words.firstEpoch : words.retryBy(requested.by)}
              </Title>
              {requested !== null && (
                <Text size="sm" c="dimmed" component="span">
                  <RelativeTime at={requested.at} />
                </Text>
              )}
            </Group>
          )}
          {attempts.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.waiting}
            </Text>
          ) : (
            <LibraryTimeline bulletSize={22} lineWidth={2} active={attempts.length}>
              {attempts.map((attempt) => (
                <LibraryTimeline.Item
                  key={attempt.number}
                  color={statusTokenOf(attempt.outcome).color}
                  bullet={<Icon name={statusTokenOf(attempt.outcome).icon} size={12} />}
                  title={<Head attempt={attempt} />}
                >
                  <Line attempt={attempt} />
                </LibraryTimeline.Item>
              ))}
            </LibraryTimeline>
          )}
        </Stack>
      ))}
    </Stack>
  )
}

function Head({ attempt: { number, outcome } }: { attempt: TimelineAttempt }) {
  return (
    <Group gap="xs">
      <Text size="sm" fw={600} span>
        {words.attemptNumber(number)}
      </Text>
      <StatusBadge status={outcome} />
    </Group>
  )
}

function Line({ attempt }: { attempt: TimelineAttempt }) {
  const { outcome, started, duration_ms: ms } = attempt
  const cause = outcome === 'unknown' ? words.unknown : causeOf(attempt)
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed" component="span">
        <RelativeTime at={started} />
      </Text>
      {ms !== null && (
        <Text size="sm" c="dimmed">
          · {durationText(ms)}
        </Text>
      )}
      {cause !== null && <Text size="sm">· {cause}</Text>}
    </Group>
  )
}

/** The countdown moves every second and is not read out. */
function Next({ at, moreMax }: { at: string; moreMax: number }) {
  const waitMs = Date.parse(at) - useNow(true)
  return (
    <Text size="sm" aria-live="off">
      {waitMs > 0 ? words.nextIn(countdownText(waitMs)) : words.nextDue}, {words.mayFollow(moreMax)}.
    </Text>
  )
}
