// Grafana's JSON of a dashboard: panels in rows of equal widths, each a chart over time.
import type { Dashboard, Panel } from './panel.ts'

const gridWidth = 24
const panelHeight = 8
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana's
const datasource = { type: 'prometheus', uid: '${datasource}' }

/** The file that Grafana reads; the same source gives the same text. */
export function grafanaJson({ name, title, rows }: Dashboard): string {
  const panels = rows.flatMap((row, line) =>
    row.map((panel, place) => {
      const w = Math.floor(gridWidth / row.length)
      return chart(panel, { h: panelHeight, w, x: place * w, y: line * panelHeight })
    }),
  )
  const dashboard = {
    uid: `workspace-data-${name}`,
    title: `Workspace Data Service: ${title}`,
    tags: ['workspace-data-service'],
    schemaVersion: 39,
    editable: false,
    timezone: 'utc',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
    links: [{ type: 'dashboards', title: 'Others', tags: ['workspace-data-service'], asDropdown: true }],
    panels: panels.map((panel, place) => ({ id: place + 1, ...panel })),
  }
  return `${JSON.stringify(dashboard, null, 1)}\n`
}

function chart({ title, meaning, unit, queries, alertAt }: Panel, gridPos: object): object {
  const steps = [{ color: 'green', value: null }, ...(alertAt === undefined ? [] : [{ color: 'red', value: alertAt }])]
  return {
    type: 'timeseries',
    title,
    description: meaning,
    gridPos,
    datasource,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: { mode: 'absolute', steps },
        custom: { fillOpacity: 10, thresholdsStyle: { mode: alertAt === undefined ? 'off' : 'line' } },
      },
      overrides: [],
    },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: Object.entries(queries).map(([legendFormat, expr], place) => ({
      refId: String.fromCharCode(65 + place),
      datasource,
      expr,
      legendFormat,
      // The traces behind the buckets, as dots; Grafana asks for them only of a query that reads buckets.
      exemplar: expr.includes('_bucket['),
    })),
  }
}
