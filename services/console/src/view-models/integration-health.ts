// Says in words how an integration fares, and why (ui.md 2).
import type { components } from '@wds/api-client/schemas'
import { integrationTexts as words } from '../texts/integrations.ts'

type Schemas = components['schemas']

export interface Health {
  look: 'done' | 'info' | 'warning'
  title: string
  text: string
}

type Integration = Pick<Schemas['Integration'], 'status' | 'provider' | 'health' | 'last_sync'>

export function healthOf({ status, provider, health, last_sync: last }: Integration): Health {
  const failures = health?.consecutive_failures ?? 0
  const { title, ...of } = words.health
  switch (status) {
    case 'broken':
      return {
        look: 'warning',
        title: title.broken,
        text: `${reasonText(health?.broken_reason)} ${of.failures(failures)}`,
      }
    case 'paused':
      return { look: 'info', title: title.paused, text: of.paused }
    case 'pending':
      return { look: 'info', title: title.pending, text: isUpload(provider) ? of.pendingUpload : of.pending }
    default:
      if (health?.delayed) return { look: 'warning', title: title.late, text: of.late }
      if (failures > 0) return { look: 'warning', title: title.failing, text: of.failures(failures) }
      if (last?.status === 'failed') return { look: 'warning', title: title.failing, text: of.lastFailed }
      return { look: 'done', title: title.active, text: of.active }
  }
}

/** The reason in words; one that is not known here by its code. */
export function reasonText(reason: string | null | undefined): string {
  if (!reason) return words.health.noReason
  const { reasons } = words.health
  return Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : words.health.otherReason(reason)
}

export const isUpload = (provider: string): boolean => provider === 'csv_upload'

/** `every 15 minutes`, `every 6 hours`, `daily at 03:00`. */
export function scheduleText(schedule: Schemas['GivenSchedule'], provider: string): string {
  if (!schedule) return isUpload(provider) ? words.byUpload : words.byHand
  const { every_minutes: minutes, at } = schedule
  if (minutes === 1_440) return at ? words.dailyAt(at) : words.daily
  return minutes % 60 === 0 ? words.everyHours(minutes / 60) : words.everyMinutes(minutes)
}
