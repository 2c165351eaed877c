/** Incidents that nothing from outside makes: a defect is planted in one process, and a restart goes on without it. */
import { eventually } from '../harness/standalone.ts'
import type { Incident } from './incident.ts'
import type { Workspace } from './load.ts'

const hangFiles = new URL('./hang-files.ts', import.meta.url).href

/** Uploads what hangs in a process with that defect. */
async function uploadForever({ client, integrations }: Workspace): Promise<void> {
  await eventually('the file is taken', async () => {
    const { status } = await client(`/v1/imports?type=stats&integration_id=${integrations[1]}`, {
      text: 'date,campaign,country,clicks,ftds,deposits_amount\n2026-11-01,forever,DE,1,0,0.00\n',
      headers: { 'content-type': 'text/csv' },
    })
    return status === 202
  })
}

export const incidentsOfDefects: readonly Incident[] = [
  {
    name: 'loops-stuck',
    async inject({ fleet, workspaces }) {
      await fleet.rollOut('api-worker', { NODE_OPTIONS: `--import=${hangFiles}` })
      // One place for each workspace: both are taken.
      for (const workspace of workspaces) await uploadForever(workspace)
      return () => fleet.rollOut('api-worker')
    },
  },
  {
    name: 'work-stuck',
    async inject({ fleet, workspaces: [workspace] }) {
      await fleet.rollOut('api-worker', { NODE_OPTIONS: `--import=${hangFiles}` })
      await uploadForever(workspace)
      return () => fleet.rollOut('api-worker')
    },
  },
]
