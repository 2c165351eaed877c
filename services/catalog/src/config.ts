// Every setting of the catalog service. Nothing else of the service reads the environment.
import { serviceSettings } from '@wds/service-host/service-settings'
import { defineSettings } from '@wds/settings/settings'

export const settings = defineSettings(serviceSettings({ port: 8083 }))
