// The anomalies that nobody has taken on yet.
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useList } from '../../queries.ts'
import { overviewTexts as words } from '../../texts/overview.ts'
import { changeText } from '../../view-models/anomalies.ts'
import { AnomalyTitle } from '../anomalies/subject.tsx'

const shownMax = 4

export function AnomaliesCard() {
  const list = useList('/v1/anomalies', { query: { status: ['open'], limit: shownMax } }, { pace: 'slow' })
  return (
    <Card title={words.anomalies} actions={<RouteLink to="anomalies">{words.allAnomalies}</RouteLink>}>
      <Loaded source={{ ...list, data: list.rows }} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">{words.anomaliesNone}</Text>
          ) : (
            <Stack gap="sm">
              {rows.map((one) => (
                <div key={one.id}>
                  <RouteLink to={`anomalies/${one.id}`}>
                    <AnomalyTitle anomaly={one} />
                  </RouteLink>
                  <Text size="sm">{changeText(one)}</Text>
                </div>
              ))}
              {list.hasMore && (
                <Text size="sm" c="dimmed">
                  {words.anomaliesMore}
                </Text>
              )}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  )
}
