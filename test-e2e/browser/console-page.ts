// What the suite needs to know of a page of the console.
import type { ConsoleRig } from './console-rig.ts'

export interface ConsolePage {
  /** Name of its screenshots. */
  name: string
  /** Behind `/w/{slug}/`; a function makes what the page shows. */
  path: string | ((rig: ConsoleRig) => Promise<string>)
  /** Its h1; null: the heading of a dialog or drawer over it. */
  heading: string | RegExp | null
}
