// How the network writes its reports: four dialects of one table, whole or in pages.
import type { NetworkRow } from './network.ts'

/** A report's rows as text, and how the text is sent. */
export interface Dialect {
  contentType: string
  /** Pages that link to the next one: in the header or in the body. */
  next: 'none' | 'header' | 'body'
  isJson: boolean
  encoding: 'utf-8' | 'windows-1252'
  /** How the days asked for are written. */
  dates: 'YYYY-MM-DD' | 'DD/MM/YYYY'
}

export const dialects: Readonly<Record<string, Dialect>> = {
  'daily.csv': csv('none'),
  'linked.csv': csv('header'),
  'legacy.csv': { ...csv('none'), encoding: 'windows-1252', contentType: 'text/csv', dates: 'DD/MM/YYYY' },
  'daily.json': json('body'),
  'linked.json': json('header'),
  'daily.ndjson': { ...json('none'), contentType: 'application/x-ndjson' },
}

function csv(next: Dialect['next']): Dialect {
  const text = { contentType: 'text/csv; charset=utf-8', encoding: 'utf-8', dates: 'YYYY-MM-DD' } as const
  return { ...text, next, isJson: false }
}

function json(next: Dialect['next']): Dialect {
  const text = { contentType: 'application/json', encoding: 'utf-8', dates: 'YYYY-MM-DD' } as const
  return { ...text, next, isJson: true }
}

/** What is done to the rows on their way out. */
export interface Writing {
  /** Each so manieth row has a value that is none; 0: none has. */
  wrongEach: number
  /** Columns under other names. */
  isRenamed: boolean
}

const columns = [
  ['Date', 'Brand', 'Campaign ID', 'Campaign', 'Country', 'Clicks', 'Registrations', 'FTD', 'Qualified FTD'],
  ['Deposits', 'Deposit Amount', 'Net Revenue', 'CPA', 'RevShare', 'Player E-mail'],
].flat()
const legacyColumns = [
  'Datum',
  'Marke',
  'Kampagne',
  'Land',
  'Klicks',
  'Anmeldungen',
  'Ersteinzahler',
  'Nettoumsatz',
  'Vergütung',
]

/** The header line of a CSV dialect. */
export function headerLine(name: string, { isRenamed }: Writing): string {
  const known = name === 'legacy.csv' ? legacyColumns : columns
  const named = isRenamed ? known.map((column) => `${column} (new)`) : known
  return name === 'legacy.csv' ? `${named.join(';')}\r\n` : `${byteOrderMark}${named.join(',')}\n`
}

const byteOrderMark = '\ufeff'

/** A row in the words of a dialect, without separators between rows. `nth`: its place in the whole report, from 1. */
export function writtenRow(name: string, row: NetworkRow, nth: number, writing: Writing): string {
  const isWrong = row.isWrong || (writing.wrongEach > 0 && nth % writing.wrongEach === 0)
  const wrong = isWrong ? (wrongs[Math.floor(nth / Math.max(1, writing.wrongEach)) % wrongs.length] ?? null) : null
  if (name === 'legacy.csv') return legacyRow(row, wrong)
  return dialects[name]?.isJson ? jsonRow(row, wrong, writing) : csvRow(row, wrong)
}

/** What stands in place of the clicks. */
const wrongs = ['n/a', '-5', '1e9', '12.5', '1,5', 'NaN', '99999999999999999999', '=1+1', '<b>7</b>']

function csvRow(row: NetworkRow, wrong: string | null): string {
  const cells = [
    ...[row.date, row.brand, row.campaign, row.campaignName, row.country, wrong ?? row.clicks, row.registrations],
    ...[row.ftds, row.qualifiedFtds, row.deposits, major(row.depositsAmount), major(row.ngr), major(row.cpa)],
    ...[major(row.revshare), 'jane@player.test'],
  ]
  return `${cells.map((cell) => quoted(String(cell), ',')).join(',')}\n`
}

function legacyRow(row: NetworkRow, wrong: string | null): string {
  const commission = major(row.cpa + row.revshare).replace('.', ',')
  const cells = [
    ...[slashed(row.date), row.brand, row.campaignName, row.country, wrong ?? row.clicks, row.registrations, row.ftds],
    ...[major(row.ngr).replace('.', ','), commission],
  ]
  return `${cells.map((cell) => quoted(String(cell), ';')).join(';')}\r\n`
}

function jsonRow(row: NetworkRow, wrong: string | null, { isRenamed }: Writing): string {
  const s = isRenamed ? '_v2' : ''
  const text = JSON.stringify
  // Amounts as numbers with two decimals, which JSON.stringify would shorten.
  const money = [
    `"deposits${s}":${major(row.depositsAmount)},"net${s}":${major(row.ngr)}`,
    `"cpa${s}":${major(row.cpa)},"rev${s}":${major(row.revshare)}`,
  ].join(',')
  const counts = [
    `"clicks${s}":${wrong === null ? row.clicks : text(wrong)},"registrations${s}":${row.registrations}`,
    `"ftd${s}":${row.ftds},"qualified${s}":${row.qualifiedFtds},"deposits${s}":${row.deposits}`,
  ].join(',')
  const campaign = `{"id":${text(row.campaign)},"name":${text(row.campaignName)}}`
  return `{"day${s}":"${row.date}","brand":${text(row.brand)},"campaign":${campaign},"geo":"${row.country}","counts":{${counts}},"money":{${money}},"player":{"email":"jane@player.test"}}`
}

function major(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
}

export function slashed(date: string): string {
  return `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

/** Bytes of a text in a dialect's encoding. */
export function encoded(text: string, encoding: Dialect['encoding']): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  return Buffer.from([...text].map((character) => windows1252.get(character) ?? character).join(''), 'latin1')
}

/** Characters of windows-1252 that Latin-1 has at other places, of those that the network uses. */
const windows1252 = new Map([
  ['€', '\x80'],
  ['“', '\x93'],
  ['”', '\x94'],
])
