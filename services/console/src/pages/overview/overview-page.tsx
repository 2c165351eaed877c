// What the workspace is, how its numbers go, and what needs a look.
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { Facts } from '../../components/facts.tsx'
import { Page } from '../../components/page.tsx'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { overviewTexts as words } from '../../texts/overview.ts'
import { texts } from '../../texts.ts'
import { AnomaliesCard } from './anomalies-card.tsx'
import { DeadLettersCard } from './dead-letters-card.tsx'
import { NumbersCard } from './numbers-card.tsx'
import { SyncHealthCard } from './sync-health-card.tsx'

export function OverviewPage() {
  const { workspace, role } = useSession()
  const seesDeliveries = useAllowed('webhooks:manage')
  const { data: settings } = useRead('/v1/settings', {})
  const facts = [
    { name: words.name, value: workspace.name },
    { name: words.plan, value: workspace.plan },
    { name: words.role, value: texts.role[role] },
    { name: words.timeZone, value: settings?.time_zone ?? texts.time.none },
    { name: words.currency, value: settings?.base_currency ?? texts.time.none },
  ]
  return (
    <Page title={texts.nav.overview}>
      <NumbersCard />
      <Columns width="wide">
        <AnomaliesCard />
        <SyncHealthCard />
        {seesDeliveries && <DeadLettersCard />}
        <Card title={words.workspace}>
          <Facts facts={facts} />
        </Card>
      </Columns>
    </Page>
  )
}
