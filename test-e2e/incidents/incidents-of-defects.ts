/** Incidents that nothing from outside makes: a defect is planted in one process, and a restart goes on without it. */
import { eventually } from '../harness/standalone.ts'
import type { Fleet } from './deployments.ts'
import type { Incident } from './incident.ts'
import type { Workspace } from './load.ts'

/** The lease of a process that ended lasts for a minute. */
const readWithinMs = 300_000
const hangFiles = new URL('./hang-files.ts', import.meta.url).href

/** Uploads what hangs in a process with that defect. Resolves with how to wait until one without it has read the file. */
async function uploadForever({ client, integrations }: Workspace): Promise<() => Promise<unknown>> {
  const id = await eventually('the file is taken', async () => {
    const { status, body } = await client(`/v1/imports?type=stats&integration_id=${integrations[1]}`, {
      text: 'date,campaign,country,clicks,ftds,deposits_amount\n2026-11-01,forever,DE,1,0,0.00\n',
      headers: { 'content-type': 'text/csv' },
    })
    return status === 202 && (body.id as string)
  })
  const isRead = async () => {
    const { body } = await client(`/v1/imports/${id}`)
    return !['queued', 'running'].includes(body.status as string)
  }
  return () => eventually('the file is read', isRead, readWithinMs)
}

/** Ends the defect, and what it left: the next process with it would take that up. */
async function mend(fleet: Fleet, areRead: (() => Promise<unknown>)[]): Promise<void> {
  await fleet.rollOut('api-worker')
  for (const isRead of areRead) await isRead()
}

export const incidentsOfDefects: readonly Incident[] = [
  {
    name: 'loops-stuck',
    async inject({ fleet, workspaces }) {
      await fleet.rollOut('api-worker', { NODE_OPTIONS: `--import=${hangFiles}` })
      // One place for each workspace: both are taken.
      const areRead = await Promise.all(workspaces.map(uploadForever))
      return () => mend(fleet, areRead)
    },
  },
  {
    name: 'work-stuck',
    async inject({ fleet, workspaces: [workspace] }) {
      await fleet.rollOut('api-worker', { NODE_OPTIONS: `--import=${hangFiles}` })
      const isRead = await uploadForever(workspace)
      return () => mend(fleet, [isRead])
    },
  },
]
