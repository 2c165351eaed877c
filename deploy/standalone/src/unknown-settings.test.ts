import { expect, test } from '@jest/globals'
import { unknownSettings } from './unknown-settings.ts'

test('a misspelt setting is found; those of the standalone, of any service and of other programs are not', async () => {
  const env = {
    PATH: '/bin',
    WDS_PORT: '8080',
    WDS_DELIVERY_SLOTS: '16',
    WDS_UPSTREAM_PROVIDERS_FILE: '/run/secrets/providers',
    WDS_SYNC_POLL: '2s',
    WDS_BOOTSTRAP_PID: '1',
    WDS_TEST_RUN: 'x',
    WDS_SYNC_POL: '2s',
    WDS_PROT: '8080',
  }
  expect(await unknownSettings(env)).toEqual(['WDS_PROT', 'WDS_SYNC_POL'])
})

test('nothing is found where there is nothing', async () => {
  expect(await unknownSettings({ PATH: '/bin', WDS_PORT: '8080' })).toEqual([])
})
