// K17: what every overlay puts into the environment of a service is what that service starts with in production, no more and no less.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readServiceSettings } from '@wds/service-host/read-settings'
import type { ServiceValues } from '@wds/service-host/service-settings'
import type { ParseOptions } from '@wds/settings/settings'
import { settings as api } from '../../services/api/src/config.ts'
import { settings as auth } from '../../services/auth/src/config.ts'
import { settings as catalog } from '../../services/catalog/src/config.ts'
import { settings as console } from '../../services/console/src/config.ts'
import { readSettings as delivery, settings as ofDelivery } from '../../services/delivery/src/config.ts'
import { build, type Manifest, ofKind, ours, overlays, podOf, root } from './render.ts'

type Env = Record<string, string>
type Reader = (env: Env, options?: ParseOptions) => unknown
const readers: Record<string, Reader> = {
  auth: auth.parse,
  api: api.parse,
  catalog: catalog.parse,
  delivery,
}
const mounted = '/etc/workspace-data'
/** Of the runtime and of OpenTelemetry, which no config.ts declares. */
const runtimes = /^(?:NODE_OPTIONS|OTEL_[A-Z_]+)$/

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds-k8s-settings-'))
  const url = 'postgresql://role:kei4Ohs2aeghooX7xah1@postgres-rw:5432/workspace_data?sslmode=verify-full'
  for (const name of ['database-url', 'worker-database-url', 'owner-database-url'])
    writeFileSync(join(folder, name), url, { mode: 0o440 })
})
afterAll(() => rmSync(folder, { recursive: true }))

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
  for (const [name, value] of Object.entries(all)) all[name] = value.replace(mounted, folder)
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
      if (name === 'console') {
        expect(console.parse(env, { refuseUnknownPrefix: 'WDS_' })).toMatchObject({ WDS_HTTP_PORT: 8080 })
        continue
      }
      const readSettings = readers[name] as (env: Env, options?: ParseOptions) => ServiceValues
      const values = readServiceSettings({ readSettings } as never, { env, execArgv: [] }) as ServiceValues
      expect([deployment.metadata.name, values.WDS_ROLE]).toEqual([
        deployment.metadata.name,
        deployment.metadata.labels['app.kubernetes.io/component'],
      ])
      expect(values).toMatchObject({ WDS_PROFILE: 'production', WDS_HTTP_PORT: 8080, WDS_MANAGEMENT_PORT: 9090 })
    }
    expect(deployments()).toHaveLength(8)
  })

  test('no name is one that its service does not know', () => {
    const described: Record<string, { describe(): { name: string; secret: boolean }[] }> = {
      auth,
      api,
      catalog,
      console,
      delivery: ofDelivery,
    }
    for (const deployment of deployments()) {
      const rows = described[deployment.metadata.labels['app.kubernetes.io/name'] as string]?.describe() ?? []
      const known = new Set(rows.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])))
      const unknown = Object.keys(envOf(objects, deployment)).filter((name) => !known.has(name) && !runtimes.test(name))
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
