// strict_event_scopes, with what it would stop before it is turned on.
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { api } from '../../api.ts'
import { AskButton } from '../../components/ask-button.tsx'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useRead } from '../../queries.ts'
import { settingsTexts as words } from '../../texts/workspace-settings.ts'

export function StrictScopes({ isOn, etag }: { isOn: boolean; etag: string | null }) {
  const reading = useRead('/v1/webhooks/strict-event-scopes', {}, { pace: 'slow' })
  const none = isOn ? words.stopsNothingNow : words.stopsNothing
  const some = isOn ? words.stopsNow : words.stops
  return (
    <Card
      title={words.strict}
      hint={words.strictHint}
      actions={
        <AskButton
          title={isOn ? words.turnOff : words.strictTitle}
          action={isOn ? words.turnOff : words.turnOn}
          about={isOn ? words.strictHint : words.strictText(reading.data?.data.length ?? 0)}
          done={words.saved}
          isDangerous={!isOn}
          etag={etag}
          body={{ strict_event_scopes: !isOn }}
          send={(body, { ifMatch }) => api.patch('/v1/workspace', withoutUndefined({ body, ifMatch }))}
          invalidates={['/v1/workspace', '/v1/webhooks']}
        />
      }
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
    </Card>
  )
}
