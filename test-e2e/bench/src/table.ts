/** The lines of one measurement as text. */
import type { Line } from './measures/measure.ts'

function row(line: Line): string {
  const range = line.range === undefined ? '' : `${line.range.map((value) => Math.round(value)).join('..')}`
  const floor = line.floor === undefined ? '' : `${line.floor.value} ${line.floor.holds ? 'held' : 'MISSED'}`
  const cells = [line.measure.padEnd(52), String(line.value).padStart(9), line.unit.padEnd(12), range.padEnd(14), floor]
  return `${cells.join(' ').trimEnd()}\n`
}

export function tableOf(lines: readonly Line[]): string {
  return lines.map(row).join('')
}
