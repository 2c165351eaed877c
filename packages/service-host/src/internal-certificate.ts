// The certificate of the internal listener: read at the start, followed while it serves, and told as a metric. One that callers take is never
// exchanged for one that they refuse.
import type { RunningHttpService } from '@wds/http-service/service'
import { SettingsError } from '@wds/settings/settings'
import type { Logger } from '@wds/telemetry/logger'
import { observe } from '@wds/telemetry/metrics'
import { certificateMetrics } from '@wds/telemetry/platform-metrics'
import type { Progress } from '@wds/telemetry/progress'
import { type Certificate, readCertificate } from './certificate-files.ts'
import { followFiles } from './follow-files.ts'

/** Where certificate and key are. */
export interface InternalCertificateFiles {
  certFile: string
  keyFile: string
  /** For tests: milliseconds between two looks. */
  everyMs?: number
}

export interface InternalCertificate {
  first: Certificate
  /** Takes what is renewed into use; ends with `signal`, and resolves then. */
  follow(listener: Pick<RunningHttpService, 'renewCertificate'>): Promise<void>
}

const settings = { certSetting: 'WDS_INTERNAL_TLS_CERT_FILE', keySetting: 'WDS_INTERNAL_TLS_KEY_FILE' }

/** Reads the pair; throws `SettingsError`. One that has expired or not begun serves, since who asks refuses it: the rest of the service does not stop for it. */
export function openInternalCertificate(
  files: InternalCertificateFiles,
  o: { signal: AbortSignal; logger: Logger; progress: Progress },
): InternalCertificate {
  const read = () => readCertificate({ ...settings, ...files })
  const first = read()
  tellFault(first, o.logger)
  return {
    first,
    follow(listener) {
      let used = first
      const endObserving = observe([certificateMetrics.end], {
        // Known to the process: nothing to fail.
        onError: () => undefined,
        read: (report) => report(certificateMetrics.end, used.endsMs / 1_000),
      })
      return followFiles({
        ...o,
        name: 'internal certificate',
        first,
        everyMs: files.everyMs,
        read() {
          const found = read()
          const fault = faultOf(found)
          if (fault !== null && faultOf(used) === null)
            throw new SettingsError([`the certificate of ${settings.certSetting} ${fault}`])
          return found
        },
        take(renewed) {
          tellFault(renewed, o.logger)
          listener.renewCertificate(renewed)
          used = renewed
        },
      }).finally(endObserving)
    },
  }
}

/** Why everybody refuses it now, in words that stay the same while it does; null for one that holds. */
function faultOf({ beginsMs, endsMs }: Certificate): string | null {
  const nowMs = Date.now()
  if (endsMs <= nowMs) return `has expired (${new Date(endsMs).toISOString()})`
  return beginsMs > nowMs ? `is not valid yet (${new Date(beginsMs).toISOString()})` : null
}

function tellFault(certificate: Certificate, logger: Logger): void {
  const fault = faultOf(certificate)
  if (fault !== null) logger.error({ fault }, 'certificate of the internal listener cannot be used: nobody can ask')
}
