// Sends a test event and shows in place what the endpoint answered.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Select } from '../../components/select.ts'
import { useCommand, useRead } from '../../queries.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import { matchedTypes } from '../../view-models/event-patterns.ts'
import { TestResult } from './test-result.tsx'
import { useCatalogTypes } from './use-catalog-types.ts'
import type { Webhook } from './webhook.ts'

export function TestEvent({ webhook }: { webhook: Webhook }) {
  const types = matchedTypes(webhook.events, useCatalogTypes())
  const [chosen, setChosen] = useState<string | null>(null)
  const [deliveryId, setDeliveryId] = useState<string | null>(null)
  const type = chosen ?? types[0]?.type ?? ''
  const path = { id: webhook.id }
  const test = useCommand(
    (input: { type: string }, { idempotencyKey }) =>
      api.post('/v1/webhooks/{id}/test', { path, body: input, idempotencyKey }),
    {
      invalidates: ['/v1/webhooks/{id}/deliveries'],
      onDone: ({ data }) => setDeliveryId(data.id),
    },
  )
  return (
    <Card title={words.test} hint={words.testHint}>
      <Stack>
        <Group align="flex-end" gap="sm">
          <Select
            label={words.testType}
            data={types.map(({ type: name }) => name)}
            value={type}
            allowDeselect={false}
            searchable
            className="wds-grow"
            maw={360}
            onChange={setChosen}
          />
          <Button
            look="primary"
            icon="send"
            isRunning={test.isRunning}
            disabledBecause={whyNot(webhook, type)}
            onClick={() => test.run({ type })}
          >
            {words.send}
          </Button>
          <CurlView method="post" path={`/v1/webhooks/${webhook.id}/test`} body={{ type }} />
        </Group>
        {type !== '' && (
          <Disclosure title={words.payloadPreview}>
            <Example type={type} />
          </Disclosure>
        )}
        {test.error !== null && <ProblemNote error={test.error} onTryAgain={() => test.run({ type })} />}
        {deliveryId !== null && <TestResult key={deliveryId} deliveryId={deliveryId} webhookId={webhook.id} />}
      </Stack>
    </Card>
  )
}

function whyNot({ status }: Webhook, type: string): string | null {
  if (status === 'disabled') return words.testDisabled
  return type === '' ? words.testNoType : null
}

function Example({ type }: { type: string }) {
  const { data } = useRead('/v1/event-types/{type}/example', { path: { type } })
  return data === undefined ? null : <JsonView text={JSON.stringify(data)} what={words.payload} />
}
