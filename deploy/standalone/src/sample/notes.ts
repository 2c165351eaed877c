/** What is known of the sample data, kept in the data folder, so that a start which follows a killed one goes on where that one was. */
import type { DataFolder } from '../data-folder.ts'

export interface SampleApp {
  client_id: string
  client_secret: string
  redirect_url: string
}

export interface Stored {
  workspace_id?: string
  owner_password?: string
  has_owner?: boolean
  api_key?: string
  csv_upload_id?: string
  demo_id?: string
  /** UTC day of the first start that was to make all of it; none in a folder without it. */
  story_day?: string
  /** Ids by the names of the steps that made them. */
  made?: Record<string, string>
  app?: SampleApp
  is_whole?: boolean
}

export interface SampleNotes {
  stored: Stored
  save(): void
}

/** Reads the notes of the folder. `full`: a workspace that is still to be made gets all of the sample data, else two integrations. */
export function openNotes(data: DataFolder, o: { full: boolean }): SampleNotes {
  const stored = JSON.parse(data.read('sample.json') ?? '{}') as Stored
  if (o.full && stored.api_key === undefined) stored.story_day ??= new Date().toISOString().slice(0, 10)
  return { stored, save: () => data.write('sample.json', JSON.stringify(stored)) }
}

/** Is there something left to make? */
export function isUnfinished({ stored }: SampleNotes, o: { full: boolean }): boolean {
  return o.full && stored.story_day !== undefined && stored.is_whole !== true
}
