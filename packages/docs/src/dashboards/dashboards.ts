// The dashboards of operators. `npm run generate` makes Grafana's files of them.
import { deliveries } from './deliveries.ts'
import { eventLog } from './event-log.ts'
import { grafanaJson } from './grafana.ts'
import { overview } from './overview.ts'
import { processes } from './processes.ts'
import { syncs } from './syncs.ts'

const folder = 'k8s/components/monitoring/dashboards'

/** Grafana's files by their path in the repository. */
export const dashboardFiles: Record<string, string> = Object.fromEntries(
  [overview, deliveries, eventLog, syncs, processes].map((dashboard) => [
    `${folder}/${dashboard.name}.json`,
    grafanaJson(dashboard),
  ]),
)
