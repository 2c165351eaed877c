// A line over days with a table twin (ui.md 6, 7). Own drawing, so that it follows theme and accessibility.
import { UnstyledButton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { chartColors } from '../status-tokens.ts'
import { texts } from '../texts.ts'
import { type ChartLayout, layChart } from '../view-models/line-chart.ts'
import type { Point } from '../view-models/stats-series.ts'
import { DataTable } from './data-table.tsx'
import { Icon } from './icon.tsx'

interface LineChartProps {
  points: readonly Point[]
  /** What it shows, in one sentence with the numbers: read out in its place. */
  label: string
  /** Headings of the table twin. */
  dayTitle: string
  valueTitle: string
  textOf: (value: number | null) => string
  /** At the axis, where there is little room. */
  tickText: (value: number) => string
  dayText: (day: string) => string
  /** The last day that no longer changes; null: none is known. */
  finalThrough?: string | null
  finalLabel?: string | undefined
  /** Days with something odd. */
  anomalies?: readonly string[]
}

const height = 240
const left = 56
const bottom = 24

export function LineChart(o: LineChartProps) {
  const { ref, width } = useElementSize()
  const [isTable, setTable] = useState(false)
  const words = texts.chart
  const layout = layChart(o.points, { width: Math.max(width, 240), height, left, bottom }, o)
  return (
    <div>
      <div ref={ref} className="wds-chart" hidden={isTable}>
        {width > 0 && <Drawing {...o} width={width} layout={layout} />}
      </div>
      {isTable && (
        <DataTable
          caption={o.label}
          columns={[
            { title: o.dayTitle, cell: ({ day }: Point) => o.dayText(day) },
            { title: o.valueTitle, cell: ({ value }: Point) => o.textOf(value), isNumber: true },
          ]}
          rows={o.points.toReversed()}
          keyOf={({ day }) => day}
        />
      )}
      <UnstyledButton className="wds-menu-button" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
        <Icon name="list" /> {isTable ? words.asChart : words.asTable}
      </UnstyledButton>
    </div>
  )
}

function Drawing(o: LineChartProps & { width: number; layout: ChartLayout }) {
  const { width, layout } = o
  const { places, path, finalX } = layout
  const right = width - 12
  const half = places.length < 2 ? right : ((places[1]?.x ?? 0) - (places[0]?.x ?? 0)) / 2
  return (
    <svg role="img" aria-label={o.label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      {layout.ticks.map(({ value, y }) => (
        <g key={value}>
          <line x1={left} x2={right} y1={y} y2={y} className="wds-chart-grid" />
          <text x={left - 8} y={y + 4} textAnchor="end" className="wds-chart-text">
            {o.tickText(value)}
          </text>
        </g>
      ))}
      {layout.labels.map(({ day, x }) => (
        <text key={day} x={x} y={height - 6} textAnchor={x > right - 24 ? 'end' : 'middle'} className="wds-chart-text">
          {o.dayText(day)}
        </text>
      ))}
      <path d={path} fill="none" stroke={chartColors.line} strokeWidth={2} strokeLinejoin="round" />
      {finalX !== null && finalX < right && (
        <>
          <rect x={finalX} y={0} width={right - finalX} height={height - bottom} className="wds-chart-open" />
          <line x1={finalX} x2={finalX} y1={0} y2={height - bottom} className="wds-chart-final">
            <title>{o.finalLabel}</title>
          </line>
        </>
      )}
      {places.map(({ day, value, x, y }, nth) => (
        <g key={day} className="wds-chart-day">
          {/* A day between two that are not known has no line: a dot shows it. */}
          {y !== null && <circle cx={x} cy={y} r={isLone(places, nth) ? 3 : 2.5} fill={chartColors.line} />}
          {o.anomalies?.includes(day) && y !== null && (
            <circle cx={x} cy={y} r={6} fill="none" stroke={chartColors.unknown} strokeWidth={2} />
          )}
          <rect x={x - half} y={0} width={half * 2} height={height - bottom} fill="transparent">
            <title>{`${o.dayText(day)}: ${o.textOf(value)}`}</title>
          </rect>
        </g>
      ))}
    </svg>
  )
}

const isLone = (places: ChartLayout['places'], nth: number) =>
  (places[nth - 1]?.y ?? null) === null && (places[nth + 1]?.y ?? null) === null
