/** Incidents that nothing from outside makes: a defect is planted in one process, and a restart goes on without it. */
import type { Incident } from './incident.ts'

const hangFiles = new URL('./hang-files.ts', import.meta.url).href

export const incidentsOfDefects: readonly Incident[] = [
  {
    name: 'loops-stuck',
    async inject({ fleet }) {
      // The files that the load uploads take its places within half a minute.
      await fleet.rollOut('api-worker', { NODE_OPTIONS: `--import=${hangFiles}` })
      return () => fleet.rollOut('api-worker')
    },
  },
]
