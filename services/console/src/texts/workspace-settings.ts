// Texts of the page of workspace settings.
import { counted } from './counts.ts'

export const settingsTexts = {
  workspace: 'Workspace',
  name: 'Name',
  slug: 'Slug',
  slugHint: 'Stands in the address of these pages. Links with the present one stop working.',
  slugFault: 'Small letters, digits and hyphens, the first one no hyphen.',
  nameNeeded: 'A workspace needs a name.',
  plan: 'Plan',
  saved: 'The settings are saved',
  data: 'Data',
  dataHint: 'How numbers are counted and shown.',
  timeZone: 'Time zone',
  timeZoneHint: 'Days of the statistics begin and end by it. Another one counts all days anew, final ones too.',
  currency: 'Base currency',
  currencyHint: 'Three letters, such as EUR.',
  maxWait: 'Waiting time',
  maxWaitHint: 'Hours that a day waits for its sources, 12 to 168.',
  anomalies: 'Anomaly detection',
  anomaliesHint: 'Watches clicks, sign-ups, FTDs, NGR and commission for days out of line.',
  strict: 'Strict event scopes',
  strictHint:
    'A subscription gets only events that the scopes of whoever saved it last open. Without it, managing webhooks is enough for every type.',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  isOn: 'It is on.',
  isOff: 'It is off.',
  stops: 'It would stop these:',
  stopsNow: 'It stops these now. Saving one of them again with the scopes mends it.',
  stopsNothing: 'It would stop nothing: the scopes of every subscription open what it asks for.',
  stopsNothingNow: 'It stops nothing now.',
  strictTitle: 'Turn on strict event scopes?',
  strictText: (count: number) =>
    count === 0
      ? 'No subscription loses events.'
      : `${counted(count, 'subscription loses', 'subscriptions lose')} the listed types at once.`,
} as const
