// Retry of one delivery: asks first, says what came of it, and offers Enable where the subscription is off.
import { isProblem } from '@wds/api-client/problem'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { historyTexts as words } from '../../texts/history.ts'
import { texts } from '../../texts.ts'

const retriable: readonly string[] = ['dead', 'delivered', 'retry']

/** Null: it can be retried; else why not. */
export function whyNoRetry({ status }: Pick<Schemas['Delivery'], 'status'>): string | null {
  return retriable.includes(status) ? null : words.notWhile(status)
}

interface RetryDialogProps {
  /** Null: closed. */
  delivery: Pick<Schemas['Delivery'], 'id' | 'webhook_id' | 'event_type'> | null
  onClose: () => void
}

const invalidates = ['/v1/deliveries', '/v1/webhooks', '/v1/dead-letters']

export function RetryDialog({ delivery, onClose }: RetryDialogProps) {
  const id = delivery?.id ?? ''
  const retry = useCommand(
    (input: { id: string }, { idempotencyKey }) =>
      api.post('/v1/deliveries/{id}/retry', { path: input, idempotencyKey }),
    {
      invalidates,
      onDone: () => {
        announce(words.retried)
        onClose()
      },
    },
  )
  const enable = useCommand(
    (input: { id: string }, { idempotencyKey }) =>
      api.post('/v1/webhooks/{id}/enable', { path: input, idempotencyKey }),
    {
      invalidates,
      onDone: () => retry.run({ id }),
    },
  )
  const close = () => {
    retry.reset()
    onClose()
  }
  const error = enable.error ?? retry.error
  return (
    <Dialog title={words.retryTitle} isOpen={delivery !== null} onClose={close}>
      <Stack>
        <Text size="sm">{delivery?.event_type}</Text>
        <Text size="sm">{words.retryText}</Text>
        {error !== null && (
          <ProblemNote error={error} takesFocus>
            {isProblem(error, 'webhook_disabled') && (
              <Button
                size="xs"
                isRunning={enable.isRunning}
                onClick={() => enable.run({ id: delivery?.webhook_id ?? '' })}
              >
                {words.enable}
              </Button>
            )}
          </ProblemNote>
        )}
        <Group justify="flex-end" gap="sm">
          <Button onClick={close}>{texts.confirm.cancel}</Button>
          <Button look="primary" icon="repeat" isRunning={retry.isRunning} onClick={() => retry.run({ id })}>
            {words.retry}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
