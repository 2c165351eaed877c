/** Incidents that nothing from outside makes: a defect is planted in one process, and a restart goes on without it. */
import { eventually } from '../harness/standalone.ts'
import type { Incident } from './incident.ts'

const hangFiles = new URL('./hang-files.ts', import.meta.url).href

export const incidentsOfDefects: readonly Incident[] = [
  {
    name: 'loops-stuck',
    async inject({ fleet, workspaces }) {
      await fleet.rollOut('api-worker', { NODE_OPTIONS: `--import=${hangFiles}` })
      // One place for each workspace: both are taken.
      for (const { client, integrations } of workspaces)
        await eventually('the file is taken', async () => {
          const { status } = await client(`/v1/imports?type=stats&integration_id=${integrations[1]}`, {
            text: 'date,campaign,country,clicks,ftds,deposits_amount\n2026-11-01,spring,DE,1,0,0.00\n',
            headers: { 'content-type': 'text/csv' },
          })
          return status === 202
        })
      return () => fleet.rollOut('api-worker')
    },
  },
]
