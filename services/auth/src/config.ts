/** Every setting of the auth service. Nothing else of the service reads the environment. */
import { secretSettings, serviceSettings } from '@wds/service-host/service-settings'
import { defineSettings } from '@wds/settings/settings'

export const settings = defineSettings({
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
  WDS_INTERNAL_TOKEN_FILE: { type: 'file', meaning: 'File with the service token of the internal listener.' },
})
