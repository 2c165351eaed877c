// Decides whether a process runs in the production profile. When nobody says, only a service on loopback counts as development.
import type { ServiceValues } from './service-settings.ts'

/** True unless the process is told that it is a development one, or its public address is a loopback one. */
export function isProduction(values: Pick<ServiceValues, 'WDS_PROFILE' | 'WDS_BASE_URL'>): boolean {
  if (values.WDS_PROFILE !== undefined) return values.WDS_PROFILE === 'production'
  return !isLoopback(new URL(values.WDS_BASE_URL).hostname)
}

/** Whether a host name or address, as URLs write it, is this machine's own loopback. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
