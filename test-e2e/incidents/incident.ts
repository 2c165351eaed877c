/** What goes wrong, and how it ends. */
import type { IncidentRig } from './rig.ts'

export interface Incident {
  name: string
  /** Ends what was done; the product gets well by itself. */
  inject(rig: IncidentRig): Promise<() => Promise<unknown>>
}
