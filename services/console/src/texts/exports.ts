// Texts of the export of stats.
import { counted } from './counts.ts'

export const exportTexts = {
  open: 'Export',
  title: 'Export the numbers',
  hint: 'All rows of this page as a file, with the choices that are made now. Making it may take minutes for many rows.',
  format: 'Format',
  formats: [
    { value: 'csv', label: 'CSV' },
    { value: 'ndjson', label: 'NDJSON' },
  ],
  formatHint: 'CSV for spreadsheets, NDJSON for programs. Money is in minor units, such as cents.',
  begin: 'Make the file',
  progress: 'Rows of the file',
  waiting: 'Waiting to be made.',
  summing: 'The rows are being summed.',
  written: (rows: string, total: string) => `${rows} of ${total} rows are written.`,
  ready: (rows: number, size: string) => `The file is ready: ${counted(rows, 'row')}, ${size}.`,
  kept: (day: string) => `It is kept until ${day}.`,
  canceled: 'Canceled. Nothing is kept of it.',
  failed: (reason: string) => `The file could not be made. ${reason}`,
  download: 'Download',
  cancel: 'Cancel',
  another: 'Export again',
  goesOn: 'It goes on when this is closed; the API lists it under exports.',
} as const
