// Texts of the page of connected apps.
import { counted } from './counts.ts'

export const connectedAppTexts = {
  lead: 'Apps that people of this workspace have allowed to act for them. Ending one stops its access within 2 seconds.',
  leadOwn: 'Apps that you have allowed to act for you in this workspace. Ending one stops its access within 2 seconds.',
  none: 'No connected apps',
  noneText: 'When somebody allows an app to act in this workspace, it appears here.',
  caption: 'Connected apps',
  app: 'App',
  by: (workspace: string) => `by ${workspace}`,
  deleted: 'A deleted app',
  person: 'Allowed by',
  formerPerson: 'a former member',
  scopes: 'May',
  lastUsed: 'Last used',
  end: 'End',
  endOf: (app: string) => `End the access of ${app}`,
  endTitle: (app: string) => `End the access of ${app}?`,
  endText: (app: string, person: string) =>
    `${app} can no longer act for ${person}: its tokens are refused within 2 seconds. To connect again, the person has to allow it again.`,
  ended: 'The access has ended',
  endAll: 'End all',
  endAllTitle: 'End all connected apps?',
  endAllText: (count: string) =>
    `${count} lose access within 2 seconds. To connect again, people have to allow each app again.`,
  atLeast: (count: number) => `${count} or more grants`,
  grants: (count: number) => counted(count, 'grant'),
  typed: 'end all',
  allEnded: (count: number) => `${count} ended`,
} as const
