// Every setting of the auth service. Nothing else of the service reads the environment.
import { isLoopback } from '@wds/service-host/profile'
import { secretSettings, serviceSettings } from '@wds/service-host/service-settings'
import { defineSettings } from '@wds/settings/settings'

export const settings = defineSettings(
  {
    ...serviceSettings({ port: 8081 }),
    ...secretSettings,
    WDS_INTERNAL_PORT: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 8091,
      meaning: "Port of the internal listener (operator's commands), on the same address.",
    },
    WDS_UPSTREAM_PROVIDERS_FILE: {
      type: 'file',
      optional: true,
      meaning:
        'File with the OpenID providers that people may sign in with, as a JSON array of `{name, title, issuer, client_id, client_secret, endpoint_origins}`, the last one optional; unset: passwords alone.',
    },
    WDS_INTERNAL_TOKEN_FILE: {
      type: 'file',
      meaning:
        'File with the service token of the internal listener; during a rotation with two, a line each. Read again within 30 s of a change.',
    },
    WDS_INTERNAL_TLS_CERT_FILE: {
      type: 'file',
      optional: true,
      meaning:
        'Certificate of the internal listener with its chain, PEM, taken in anew within 30 s of a change; unset: plain HTTP, in production on a loopback address alone.',
    },
    WDS_INTERNAL_TLS_KEY_FILE: {
      type: 'file',
      optional: true,
      meaning:
        'Private key of `WDS_INTERNAL_TLS_CERT_FILE`, PEM, mode 0600 (0440 where it is mounted), taken in together with it.',
    },
  },
  {
    checks: [
      (v) =>
        (v.WDS_INTERNAL_TLS_CERT_FILE === undefined) === (v.WDS_INTERNAL_TLS_KEY_FILE === undefined)
          ? null
          : 'WDS_INTERNAL_TLS_CERT_FILE and WDS_INTERNAL_TLS_KEY_FILE must be set together',
    ],
  },
)

/** What production refuses beside what it refuses of every service: each names a setting and no value. */
export function refusals(values: ReturnType<typeof settings.parse>): string[] {
  const isServed = values.WDS_ROLE !== 'worker' && !isLoopback(values.WDS_HTTP_HOST)
  return isServed && values.WDS_INTERNAL_TLS_CERT_FILE === undefined
    ? ['WDS_INTERNAL_TLS_CERT_FILE must be set: the internal listener is open to other machines']
    : []
}
