// What a broker has stored, as files: removed, or remembered and set back. Only while it is down.
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { logDirectory } from './kafka-settings.ts'

/** Removes all records and topics; the next start begins with an empty broker of another cluster id. */
export function wipeRecords(directory: string): void {
  rmSync(join(directory, logDirectory), { recursive: true, force: true })
}

/** Copies all records and topics; gives the place of the copy, which goes with the folder when that is removed. */
export function rememberRecords(directory: string): string {
  const remembered = mkdtempSync(join(directory, 'remembered-'))
  cpSync(join(directory, logDirectory), remembered, { recursive: true })
  return remembered
}

/** Puts the copy in the place of all records and topics. */
export function setRecordsBack(directory: string, remembered: string): void {
  wipeRecords(directory)
  renameSync(remembered, join(directory, logDirectory))
}
