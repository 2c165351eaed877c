// K17: what every overlay puts into the environment of a service is what that service starts with in production, no more and no less.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { upstreams } from '../../deploy/standalone/src/router.ts'
import { environmentOf } from './environment.ts'
import { build, type Manifest, ofKind, ours, overlays, podOf, root } from './render.ts'
import { mounted, readSettingsOf, unknownNames } from './service-readers.ts'

describe.each(overlays)('K17: %s', (overlay) => {
  let objects: Manifest[]
  beforeAll(async () => {
    objects = (await build(join(root, 'overlays', overlay))).objects
  })
  const deployments = () => ofKind(ours(objects), 'Deployment')

  test('every service starts with its settings in production', () => {
    for (const deployment of deployments()) {
      const name = deployment.metadata.labels['app.kubernetes.io/name'] as string
      const env = environmentOf(objects, deployment)
      const values = readSettingsOf(name, env)
      if (name === 'console') {
        expect(values).toMatchObject({ WDS_HTTP_PORT: 8080 })
        continue
      }
      expect([deployment.metadata.name, values.WDS_ROLE]).toEqual([
        deployment.metadata.name,
        deployment.metadata.labels['app.kubernetes.io/component'],
      ])
      expect(values).toMatchObject({ WDS_PROFILE: 'production', WDS_HTTP_PORT: 8080, WDS_MANAGEMENT_PORT: 9090 })
    }
    const started = deployments().map(({ metadata }) => metadata.labels['app.kubernetes.io/name'])
    expect([...new Set(started)].sort()).toEqual(upstreams.toSorted())
  })

  test('regression: security.md 7: nobody starts whose way to auth, or whose listener for it, is without TLS', () => {
    const startOf = (name: string, env: Record<string, string>) => {
      const [deployment] = deployments().filter(({ metadata }) => metadata.name === name) as [Manifest]
      return () => readSettingsOf(name.replace('-http', ''), { ...environmentOf(objects, deployment), ...env })
    }
    const plain = { WDS_INTERNAL_TLS_CERT_FILE: '', WDS_INTERNAL_TLS_KEY_FILE: '' }
    expect(startOf('auth-http', plain)).toThrow('WDS_INTERNAL_TLS_CERT_FILE must be set')
    expect(startOf('auth-http', { WDS_INTERNAL_TLS_KEY_FILE: '' })).toThrow('must be set together')
    for (const name of ['api-http', 'delivery-http'])
      expect(startOf(name, { WDS_AUTH_INTERNAL_URL: 'http://auth-internal:8091' })).toThrow(
        'WDS_AUTH_INTERNAL_URL must begin with https://',
      )
  })

  test('no name is one that its service does not know', () => {
    for (const deployment of deployments()) {
      const name = deployment.metadata.labels['app.kubernetes.io/name'] as string
      const unknown = unknownNames(name, environmentOf(objects, deployment))
      expect([deployment.metadata.name, unknown]).toEqual([deployment.metadata.name, []])
    }
  })

  test('every file that a setting names is mounted', () => {
    for (const deployment of deployments()) {
      const files = Object.entries(environmentOf(objects, deployment)).filter(([name]) => name.endsWith('_FILE'))
      const mounts = podOf(deployment)?.containers[0].volumeMounts.map(({ mountPath }: Manifest) => mountPath)
      if (files.length > 0) expect(mounts).toContain(mounted)
    }
  })

  test('K92: K17 finds a name that is misspelt, a value that is refused, and a test switch', () => {
    const [deployment] = deployments().filter(({ metadata }) => metadata.name === 'delivery-worker') as [Manifest]
    const env = environmentOf(objects, deployment)
    expect(unknownNames('delivery', { ...env, WDS_DELIVERY_SLOT: '5' })).toEqual(['WDS_DELIVERY_SLOT'])
    expect(() => readSettingsOf('delivery', { ...env, WDS_DELIVERY_SLOT: '5' })).toThrow('WDS_DELIVERY_SLOT')
    expect(() => readSettingsOf('delivery', { ...env, WDS_DELIVERY_SLOTS: 'many' })).toThrow('WDS_DELIVERY_SLOTS')
    expect(() => readSettingsOf('delivery', { ...env, WDS_OUTBOUND_ALLOW: 'loopback' })).toThrow('WDS_OUTBOUND_ALLOW')
    expect(() => readSettingsOf('delivery', { ...env, WDS_BASE_URL: '' })).toThrow('WDS_BASE_URL')
  })
})
