// Texts of the tree of event types.
import { counted } from './counts.ts'

export const eventPickerTexts = {
  label: 'Event types',
  search: 'Search event types',
  all: (count: number) => `All events: ${count} types today and those to come`,
  family: (wildcard: string, count: number) => `${wildcard}: ${count} types today and those to come`,
  count: (count: number) => counted(count, 'type'),
  show: (count: string, prefix: string) => `${count} of ${prefix}`,
  noneMatch: 'No event type matches. Try another word.',
  chosen: (patterns: readonly string[], matched: number) =>
    patterns.length === 0
      ? 'Choose at least one.'
      : `${patterns.join(', ')}: ${counted(matched, 'type')} today${patterns.some((one) => one.endsWith('*')) ? ' and those to come' : ''}.`,
} as const
