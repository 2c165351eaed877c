// The only file that knows which colour and icon a state has (ui.md 1, 7). The word is the state itself.
import type { IconName } from './components/icon.tsx'

export interface StatusToken {
  color: 'gray' | 'yellow' | 'blue' | 'green' | 'red' | 'orange'
  icon: IconName
}

const tokens = {
  pending: { color: 'gray', icon: 'clock' },
  retry: { color: 'yellow', icon: 'refresh' },
  replay: { color: 'blue', icon: 'repeat' },
  delivered: { color: 'green', icon: 'check' },
  dead: { color: 'red', icon: 'skull' },
  enabled: { color: 'green', icon: 'check' },
  disabled: { color: 'gray', icon: 'pause' },
  started: { color: 'blue', icon: 'clock' },
  succeeded: { color: 'green', icon: 'check' },
  failed: { color: 'red', icon: 'x' },
  partially_failed: { color: 'orange', icon: 'alert' },
  suppressed: { color: 'gray', icon: 'pause' },
  simulated: { color: 'blue', icon: 'eye' },
  unknown: { color: 'orange', icon: 'help' },
  queued: { color: 'gray', icon: 'clock' },
  running: { color: 'blue', icon: 'loader' },
  paused: { color: 'gray', icon: 'pause' },
  completed: { color: 'green', icon: 'check' },
  completed_with_errors: { color: 'orange', icon: 'alert' },
  canceled: { color: 'gray', icon: 'ban' },
  active: { color: 'green', icon: 'check' },
  broken: { color: 'red', icon: 'alert' },
  retry_wait: { color: 'yellow', icon: 'refresh' },
  live: { color: 'green', icon: 'check' },
  development: { color: 'yellow', icon: 'tool' },
  expired: { color: 'gray', icon: 'clock' },
  archived: { color: 'gray', icon: 'ban' },
  revoked: { color: 'gray', icon: 'ban' },
  suspended: { color: 'red', icon: 'ban' },
  done: { color: 'green', icon: 'check' },
  refused: { color: 'red', icon: 'ban' },
  open: { color: 'orange', icon: 'alert' },
  acknowledged: { color: 'blue', icon: 'eye' },
  resolved: { color: 'green', icon: 'check' },
  dismissed: { color: 'gray', icon: 'ban' },
  high: { color: 'red', icon: 'alert' },
  medium: { color: 'orange', icon: 'alert' },
  low: { color: 'yellow', icon: 'alert' },
  draft: { color: 'gray', icon: 'edit' },
  generated: { color: 'blue', icon: 'receipt' },
  sent: { color: 'blue', icon: 'send' },
  overdue: { color: 'red', icon: 'alert' },
  paid: { color: 'green', icon: 'check' },
  void: { color: 'gray', icon: 'ban' },
  disputed: { color: 'orange', icon: 'alert' },
  scheduled: { color: 'gray', icon: 'clock' },
  processing: { color: 'blue', icon: 'loader' },
  held: { color: 'orange', icon: 'pause' },
  returned: { color: 'orange', icon: 'repeat' },
  invited: { color: 'blue', icon: 'send' },
  removed: { color: 'gray', icon: 'ban' },
  stable: { color: 'green', icon: 'check' },
  beta: { color: 'yellow', icon: 'tool' },
  deprecated: { color: 'orange', icon: 'alert' },
} as const satisfies Record<string, StatusToken>

/** A state that is not known here yet is shown all the same, in gray. */
export function statusTokenOf(status: string): StatusToken {
  return Object.hasOwn(tokens, status) ? tokens[status as keyof typeof tokens] : { color: 'gray', icon: 'help' }
}

/** Colours of bars and lines, as CSS values, by outcome. */
export const chartColors = {
  delivered: 'var(--mantine-color-green-7)',
  failed: 'var(--mantine-color-red-7)',
  unknown: 'var(--mantine-color-orange-7)',
  line: 'var(--mantine-color-anchor)',
  quiet: 'var(--mantine-color-gray-5)',
} as const
