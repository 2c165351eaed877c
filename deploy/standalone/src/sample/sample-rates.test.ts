import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { sampleRateDays, sampleRatesFile, sampleRatesSource } from './sample-rates.ts'

const folder = join(import.meta.dirname, '../../../../services/api/src/fx/ecb')

test('the rates of the sample are those of the last day that the service brings along, and say so', () => {
  const newest =
    readdirSync(folder)
      .filter((name) => name.endsWith('.csv'))
      .sort()
      .at(-1) ?? ''
  const [header = '', last = ''] = readFileSync(join(folder, newest), 'utf8').split('\n')
  const [lastDay = '', ...cells] = last.split(',')
  const currencies = header.split(',').slice(1)
  const wanted = currencies.flatMap((currency, at) =>
    cells[at] === 'N/A' ? [] : [`2026-11-20,EUR,${currency},${cells[at]}`],
  )
  expect(sampleRatesFile(['2026-11-20']).trimEnd().split('\n').slice(1).sort()).toEqual(wanted.sort())
  expect(sampleRatesSource).toContain(lastDay)
  const [first = ''] = sampleRateDays('2030-01-01')
  expect(Date.parse(first) - Date.parse(lastDay)).toBe(86_400_000)
})

test('each day has rates of at most 7 days before, none is of a later day, and a day that comes changes no earlier one', () => {
  for (let ms = Date.parse('2026-10-31'); ms < Date.parse('2027-03-01'); ms += 86_400_000) {
    const today = new Date(ms).toISOString().slice(0, 10)
    const days = sampleRateDays(today)
    const newest = Date.parse(days.at(-1) ?? '')
    expect(ms - newest).toBeGreaterThanOrEqual(0)
    expect(ms - newest).toBeLessThanOrEqual(7 * 86_400_000)
    expect(sampleRateDays('2027-03-01').slice(0, days.length)).toEqual(days)
  }
  expect(sampleRateDays('2026-10-30')).toEqual([])
})
