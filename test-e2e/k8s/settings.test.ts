// K17: what every overlay puts into the environment of a service is what that service starts with in production, no more and no less.
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { build, type Manifest, ofKind, ours, overlays, podOf, root } from './render.ts'
import { mounted, readSettingsOf, unknownNames } from './service-readers.ts'

type Env = Record<string, string>

/** The environment that the kubelet would make of it. */
function envOf(objects: Manifest[], deployment: Manifest): Env {
  const maps = new Map(ofKind(objects, 'ConfigMap').map(({ metadata, data }) => [metadata.name as string, data as Env]))
  const { envFrom = [], env = [] } = (podOf(deployment) as Manifest).containers[0]
  const all: Env = {}
  for (const { configMapRef } of envFrom)
    Object.assign(all, maps.get(configMapRef.name) ?? { missing: configMapRef.name })
  for (const { name, value, valueFrom } of env) {
    const { fieldRef, configMapKeyRef } = valueFrom ?? {}
    all[name] = value ?? (fieldRef ? '10.1.2.3' : (maps.get(configMapKeyRef.name)?.[configMapKeyRef.key] ?? ''))
  }
  return all
}

describe.each(overlays)('K17: %s', (overlay) => {
  let objects: Manifest[]
  beforeAll(async () => {
    objects = (await build(join(root, 'overlays', overlay))).objects
  })
  const deployments = () => ofKind(ours(objects), 'Deployment')

  test('every service starts with its settings in production', () => {
    for (const deployment of deployments()) {
      const name = deployment.metadata.labels['app.kubernetes.io/name'] as string
      const env = envOf(objects, deployment)
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
    expect(deployments()).toHaveLength(8)
  })

  test('no name is one that its service does not know', () => {
    for (const deployment of deployments()) {
      const name = deployment.metadata.labels['app.kubernetes.io/name'] as string
      const unknown = unknownNames(name, envOf(objects, deployment))
      expect([deployment.metadata.name, unknown]).toEqual([deployment.metadata.name, []])
    }
  })

  test('every file that a setting names is mounted', () => {
    for (const deployment of deployments()) {
      const files = Object.entries(envOf(objects, deployment)).filter(([name]) => name.endsWith('_FILE'))
      const mounts = podOf(deployment)?.containers[0].volumeMounts.map(({ mountPath }: Manifest) => mountPath)
      if (files.length > 0) expect(mounts).toContain(mounted)
    }
  })
})
