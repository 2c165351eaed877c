// The environment that the kubelet makes of a Deployment's settings.
import { type Manifest, ofKind, podOf } from './render.ts'

export type Env = Record<string, string>

/** Of the first container. */
export function environmentOf(objects: readonly Manifest[], deployment: Manifest): Env {
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
