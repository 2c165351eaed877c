// What was sent and what was answered, by attempt; the latest one first.
import { useState } from 'react'
import type { Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { CodeBox } from '../../components/code-box.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { RequestPane } from '../../components/request-pane.tsx'
import { Select } from '../../components/select.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text, Title } from '../../components/text.ts'
import { historyTexts as words } from '../../texts/history.ts'
import { causeOf } from '../../view-models/attempt-words.ts'
import { signedCurlText } from '../../view-models/signed-curl.ts'
import type { Webhook } from './webhook.ts'

type Detail = Schemas['DeliveryDetail']
type Attempt = Detail['attempts'][number]

const excerptMax = 1_024
const keyOf = ({ epoch, number }: Attempt) => `${epoch}.${number}`

export function DeliveryAttempts({ delivery, webhook }: { delivery: Detail; webhook?: Webhook | undefined }) {
  const newest = delivery.attempts.toSorted((one, other) => other.epoch - one.epoch || other.number - one.number)
  const [chosen, setChosen] = useState<string | null>(null)
  const attempt = newest.find((one) => keyOf(one) === chosen) ?? newest[0]
  const url = attempt?.url ?? webhook?.url ?? ''
  const body = delivery.event === null ? null : JSON.stringify(delivery.event)
  const own = webhook?.headers ?? {}
  return (
    <Stack gap="lg">
      {newest.length > 1 && (
        <Select
          label={words.ofAttempt}
          data={newest.map((one) => ({
            value: keyOf(one),
            label: `${words.attemptNumber(one.number)}, ${words.epoch} ${one.epoch}`,
          }))}
          value={attempt === undefined ? null : keyOf(attempt)}
          allowDeselect={false}
          maw={260}
          onChange={setChosen}
        />
      )}
      {attempt !== undefined && <Answer attempt={attempt} />}
      <section aria-label={words.request}>
        <Stack gap="sm">
          <Title order={3} size="h3">
            {words.request}
          </Title>
          <RequestPane url={url} headers={headersOf(delivery, attempt, own)} body={body} />
          {body !== null && (
            <Disclosure title={words.curl}>
              <Stack gap="xs">
                <CodeBlock
                  what="curl"
                  text={signedCurlText({ url, eventId: delivery.event_id, body, headers: own })}
                  isTitled={false}
                />
                <Text size="sm" c="dimmed">
                  {words.curlHint}
                </Text>
              </Stack>
            </Disclosure>
          )}
        </Stack>
      </section>
    </Stack>
  )
}

function Answer({ attempt }: { attempt: Attempt }) {
  const { outcome, response_status: status, response_excerpt: excerpt } = attempt
  const cause = outcome === 'unknown' ? words.unknown : causeOf(attempt)
  return (
    <section aria-label={words.response}>
      <Stack gap="sm">
        <Title order={3} size="h3">
          {words.response}
        </Title>
        <Group gap="sm">
          <StatusBadge status={outcome} words={status === null ? undefined : String(status)} />
          {cause !== null && <Text size="sm">{cause}</Text>}
        </Group>
        {excerpt !== null && excerpt !== '' && <CodeBox label={words.excerpt}>{excerpt}</CodeBox>}
        {excerpt !== null && new TextEncoder().encode(excerpt).length >= excerptMax && (
          <Text size="sm">{words.cut}</Text>
        )}
        {status !== null && !excerpt && <Text size="sm">{words.noExcerpt}</Text>}
      </Stack>
    </section>
  )
}

/** As they are sent, in their order; a signature is never kept. */
function headersOf(
  { event_id: id }: Detail,
  attempt: Attempt | undefined,
  own: Readonly<Record<string, string>>,
): [string, string][] {
  const time = attempt?.signature_timestamp
  return [
    ...Object.entries(own),
    ['content-type', 'application/json'],
    ['webhook-id', id],
    ['webhook-timestamp', time === null || time === undefined ? `(${words.anew})` : String(time)],
    ['x-service-signature', `t=${time ?? '…'},v1=… (${words.anew})`],
    ['webhook-signature', `v1,… (${words.anew})`],
  ]
}
