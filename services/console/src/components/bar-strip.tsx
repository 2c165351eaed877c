// Bars of attempts over time, split by outcome, with a table twin (ui.md 3, 6). Own drawing, so that it follows theme and accessibility.
import { UnstyledButton } from '@mantine/core'
import { chartColors } from '../status-tokens.ts'
import type { Bar } from '../view-models/health.ts'

const height = 48
const gap = 2

interface BarStripProps {
  bars: readonly Bar[]
  /** What it shows, in one sentence with the numbers: read out in its place. */
  label: string
  /** Small: for a cell of a table, without words. */
  isSmall?: boolean
}

/** A bar's parts from the ground up. Failed ones stand at the bottom, where they are seen first. */
const parts = [
  ['failed', chartColors.failed],
  ['unknown', chartColors.unknown],
  ['succeeded', chartColors.delivered],
] as const

export function BarStrip({ bars, label, isSmall = false }: BarStripProps) {
  const most = Math.max(1, ...bars.map((bar) => bar.succeeded + bar.failed + bar.unknown))
  const step = 8
  const drawn = isSmall ? 24 : height
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bars.length * step} ${drawn}`}
      preserveAspectRatio="none"
      className={isSmall ? 'wds-strip-small' : 'wds-strip'}
    >
      {bars.map((bar, nth) => (
        <BarOf key={bar.start} bar={bar} left={nth * step} width={step - gap} height={drawn} most={most} />
      ))}
    </svg>
  )
}

function BarOf({
  bar,
  left,
  width,
  height: full,
  most,
}: {
  bar: Bar
  left: number
  width: number
  height: number
  most: number
}) {
  let top = full
  const total = bar.succeeded + bar.failed + bar.unknown
  if (total === 0) return <rect x={left} y={full - 2} width={width} height={2} fill={chartColors.quiet} opacity={0.5} />
  return (
    <>
      {parts.map(([name, color]) => {
        const size = bar[name] === 0 ? 0 : Math.max(2, (bar[name] / most) * (full - 4))
        top -= size
        return size === 0 ? null : <rect key={name} x={left} y={top} width={width} height={size} fill={color} />
      })}
    </>
  )
}

/** Under a strip: a button for each bar, which is as wide as it, for what a click on a bar does. None where bars are too narrow to be hit. */
export function BarButtons({
  bars,
  labelOf,
  onOpen,
}: {
  bars: readonly Bar[]
  labelOf: (bar: Bar) => string
  onOpen: (bar: Bar) => void
}) {
  return (
    <div className="wds-strip-buttons">
      {bars.map((bar) => (
        <UnstyledButton key={bar.start} aria-label={labelOf(bar)} title={labelOf(bar)} onClick={() => onOpen(bar)} />
      ))}
    </div>
  )
}
