// strict_event_scopes, with what it would stop before it is turned on.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useCommand, useRead } from '../../queries.ts'
import { settingsTexts as words } from '../../texts/workspace-settings.ts'

export function StrictScopes({ isOn, etag }: { isOn: boolean; etag: string | null }) {
  const [isAsking, setAsking] = useState(false)
  const reading = useRead('/v1/webhooks/strict-event-scopes', {}, { pace: 'slow' })
  const change = useCommand(
    ({ on, ifMatch }: { on: boolean; ifMatch: string | null }) =>
      api.patch('/v1/workspace', { body: { strict_event_scopes: on }, ...(ifMatch === null ? {} : { ifMatch }) }),
    {
      invalidates: ['/v1/workspace', '/v1/webhooks'],
      onDone: () => {
        setAsking(false)
        announce(words.saved)
      },
    },
  )
  const close = () => {
    setAsking(false)
    change.reset()
  }
  const none = isOn ? words.stopsNothingNow : words.stopsNothing
  const some = isOn ? words.stopsNow : words.stops
  return (
    <Card
      title={words.strict}
      hint={words.strictHint}
      actions={<Button onClick={() => setAsking(true)}>{isOn ? words.turnOff : words.turnOn}</Button>}
    >
      <Loaded source={reading} rows={1}>
        {({ data }) => (
          <Stack gap="sm">
            <Text size="sm">
              {isOn ? words.isOn : words.isOff} {data.length === 0 ? none : some}
            </Text>
            {data.length > 0 && (
              <ul className="wds-stopped">
                {data.map(({ webhook_id: id, url, types }) => (
                  <li key={id}>
                    <RouteLink to={`webhooks/${id}`}>{url}</RouteLink>
                    <div>{types.join(', ')}</div>
                  </li>
                ))}
              </ul>
            )}
          </Stack>
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={isOn ? words.turnOff : words.strictTitle}
        action={isOn ? words.turnOff : words.turnOn}
        isDangerous={!isOn}
        isRunning={change.isRunning}
        error={change.error}
        onConfirm={() => change.run({ on: !isOn, ifMatch: etag })}
      >
        <Text size="sm">{isOn ? words.strictHint : words.strictText(reading.data?.data.length ?? 0)}</Text>
      </ConfirmDialog>
    </Card>
  )
}
