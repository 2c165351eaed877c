// Every setting of the delivery service. Nothing else of the service reads the environment.
import { outboundChecks, outboundSettings } from '@wds/outbound/settings'
import { secretSettings, serviceSettings } from '@wds/service-host/service-settings'
import { defineSettings, type ParseOptions } from '@wds/settings/settings'
import { defaultSchedule, type Schedule, scheduleFaults } from './deliveries/domain/schedule.ts'
import { defaultSenderSettings, leaseMarginMs } from './sending/sender-settings.ts'

export const settings = defineSettings(
  {
    ...serviceSettings({ port: 8084 }),
    ...secretSettings,
    ...outboundSettings,
    WDS_DELIVERY_DELAYS: {
      type: 'durations',
      min: 100,
      max: 7 * 86_400_000,
      default: defaultSchedule.delaysMs,
      meaning: 'Delays before attempts 2, 3, and so on.',
    },
    WDS_DELIVERY_ATTEMPTS: {
      type: 'integer',
      min: 1,
      max: 20,
      default: defaultSchedule.attempts,
      meaning: 'Maximum attempts of a delivery per epoch, including the first.',
    },
    WDS_DELIVERY_DEADLINE: {
      type: 'duration',
      min: 100,
      max: 60_000,
      default: 10_000,
      meaning: 'Total timeout of an attempt.',
    },
    WDS_DELIVERY_LEASE: {
      type: 'duration',
      min: 1_000,
      max: 600_000,
      default: 30_000,
      meaning: 'Lease: attempts not settled within it are taken over.',
    },
    WDS_DELIVERY_STOP_GRACE: {
      type: 'duration',
      min: 0,
      max: 20_000,
      default: 11_000,
      meaning:
        'How long a shutdown waits for attempts in flight; aborted ones do not count as attempts and are due at once.',
    },
    WDS_DELIVERY_SLOTS: {
      type: 'integer',
      min: 4,
      max: 4_096,
      default: 256,
      meaning:
        'Attempts in flight in this process; while all are taken, a quarter more for endpoints that have none. Each is an open file, one that hangs until its deadline: a worker whose limit may be too low says so at its start.',
    },
    WDS_DELIVERY_HOST_RATE: {
      type: 'integer',
      min: 1,
      max: 100_000,
      default: defaultSenderSettings.hosts.requestsPerSecond,
      meaning: 'Maximum requests per second of this process to one host name; what exceeds it waits.',
    },
    WDS_DELIVERY_HOST_SOCKETS: {
      type: 'integer',
      min: 1,
      max: 4_096,
      default: defaultSenderSettings.hosts.sockets,
      meaning:
        'Maximum requests in flight of this process to one host name, three quarters of them for one workspace; what exceeds it waits.',
    },
    WDS_DELIVERY_UNCAPPED_HOSTS: {
      type: 'list',
      default: [],
      meaning: 'Host names that many customers share, to which neither limit applies, as to loopback.',
    },
  },
  {
    checks: [
      (v) =>
        v.WDS_DELIVERY_LEASE > v.WDS_DELIVERY_DEADLINE + leaseMarginMs
          ? null
          : `WDS_DELIVERY_LEASE must be longer than WDS_DELIVERY_DEADLINE and ${leaseMarginMs / 1_000} s`,
      (v) =>
        v.WDS_DELIVERY_ATTEMPTS - 1 <= v.WDS_DELIVERY_DELAYS.length
          ? null
          : 'WDS_DELIVERY_DELAYS must have a delay for each attempt after the first',
      (v) =>
        v.WDS_DELIVERY_UNCAPPED_HOSTS.every(
          (name) => URL.canParse(`https://${name}`) && new URL(`https://${name}`).hostname === name,
        )
          ? null
          : 'WDS_DELIVERY_UNCAPPED_HOSTS must be a list of host names in lower case, without scheme or port',
      ...outboundChecks,
    ],
  },
)

/** The parsed settings. */
export type Settings = ReturnType<typeof settings.parse>

/** A misspelt name of this service's own settings is refused in every profile (security.md 7). */
const ownNames: ParseOptions = { refuseUnknownPrefix: 'WDS_DELIVERY_', knownElsewhere: ['WDS_DELIVERY_PORT'] }

/** Reads the environment. Throws SettingsError. */
export function readSettings(env: Readonly<Record<string, string | undefined>>, options = ownNames): Settings {
  return settings.parse(env, options)
}

/** The schedule by the settings. Throws for one that cannot be used. */
export function scheduleOf(values: Pick<Settings, 'WDS_DELIVERY_DELAYS' | 'WDS_DELIVERY_ATTEMPTS'>): Schedule {
  const schedule = { ...defaultSchedule, delaysMs: values.WDS_DELIVERY_DELAYS, attempts: values.WDS_DELIVERY_ATTEMPTS }
  const [fault] = scheduleFaults(schedule)
  if (fault !== undefined) throw new Error(fault)
  return schedule
}
