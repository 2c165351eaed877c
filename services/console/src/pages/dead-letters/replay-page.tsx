// A bulk replay under way or over: its numbers, and what stops it. It lives in the API, so a reload changes nothing.

import { api, type Schemas } from '../../api.ts'
import { AskButton } from '../../components/ask-button.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Facts } from '../../components/facts.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Numbers } from '../../components/number-card.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useParam } from '../../page-params.ts'
import { useCommand, useRead } from '../../queries.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { texts } from '../../texts.ts'
import { countText } from '../../view-models/numbers.ts'
import { leftOutWords, percentOf, underWayOf } from '../../view-models/replays.ts'
import { useSubscriptionNames } from './use-subscription-names.ts'

type Replay = Schemas['Replay']

export function ReplayPage() {
  const id = useParam('id')
  const reading = useRead('/v1/replays/{id}', { path: { id } }, { pace: 'live' })
  const replay = reading.data
  return (
    <Page
      title={replay === undefined ? words.planTitle : words.replayOf(replay.matched)}
      above={<RouteLink to="dead-letters">{texts.nav.deadLetters}</RouteLink>}
      beside={replay === undefined ? null : <StatusBadge status={replay.status} />}
      actions={replay === undefined ? null : <Controls replay={replay} />}
    >
      <Loaded source={reading}>{(loaded) => <Job replay={loaded} />}</Loaded>
      <Group>
        <CurlView method="get" path={`/v1/replays/${id}`} />
      </Group>
    </Page>
  )
}

function Job({ replay }: { replay: Replay }) {
  const nameOf = useSubscriptionNames()
  const none = texts.time.none
  const numbers = [
    { name: words.matched, value: replay.matched === null ? none : countText(replay.matched) },
    { name: words.opened, value: countText(replay.opened) },
    { name: words.skipped, value: countText(replay.skipped) },
    { name: words.underWay, value: countText(underWayOf(replay)) },
    { name: words.delivered, value: countText(replay.delivered) },
    { name: words.died, value: countText(replay.dead), isBad: replay.dead > 0 },
  ]
  const filter = Object.entries(replay.filter).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`,
  )
  const facts = [
    { name: words.subscription, value: replay.webhook_id === null ? words.anySubscription : nameOf(replay.webhook_id) },
    { name: words.filter, value: filter.length === 0 ? words.everything : filter.join('; ') },
    { name: words.rate, value: words.perSecond(replay.rate) },
    { name: words.asked, value: <RelativeTime at={replay.created} /> },
    { name: words.by, value: replay.requested_by },
  ]
  return (
    <>
      <Card title={words.progress}>
        <Stack>
          <ProgressBar percent={percentOf(replay)} label={words.progress} isActive={replay.status === 'running'} />
          <Numbers numbers={numbers} />
          {replay.failed_reason !== null && (
            <Text size="sm">
              {words.failed} {leftOutWords(replay.failed_reason)}.
            </Text>
          )}
        </Stack>
      </Card>
      <Card>
        <Facts facts={facts} />
      </Card>
    </>
  )
}

const invalidates = ['/v1/replays']

function Controls({ replay: { id, status } }: { replay: Replay }) {
  const path = { id }
  const pause = useCommand(
    (_: null, { idempotencyKey }) => api.post('/v1/replays/{id}/pause', { path, idempotencyKey }),
    { invalidates },
  )
  const resume = useCommand(
    (_: null, { idempotencyKey }) => api.post('/v1/replays/{id}/resume', { path, idempotencyKey }),
    { invalidates },
  )
  const error = pause.error ?? resume.error
  if (!['queued', 'running', 'paused'].includes(status)) return null
  return (
    <>
      {error !== null && <ProblemNote error={error} />}
      {status === 'paused' ? (
        <Button look="primary" icon="play" isRunning={resume.isRunning} onClick={() => resume.run(null)}>
          {words.resume}
        </Button>
      ) : (
        <Button icon="pause" isRunning={pause.isRunning} onClick={() => pause.run(null)}>
          {words.pause}
        </Button>
      )}
      <AskButton
        icon="ban"
        title={words.cancelTitle}
        action={words.cancel}
        about={words.cancelText}
        done={words.canceled}
        isDangerous
        body={{}}
        send={(_, { idempotencyKey }) => api.post('/v1/replays/{id}/cancel', { path, idempotencyKey })}
        invalidates={invalidates}
      />
    </>
  )
}
