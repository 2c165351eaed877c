// The certificate of the internal listener: read at the start, followed while it serves, and told as a metric.
import type { RunningHttpService } from '@wds/http-service/service'
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

/** Reads the pair; throws `SettingsError`. One that has expired serves, since who asks refuses it: the rest of the service does not stop for it. */
export function openInternalCertificate(
  files: InternalCertificateFiles,
  o: { signal: AbortSignal; logger: Logger; progress: Progress },
): InternalCertificate {
  const read = () => readCertificate({ ...settings, ...files })
  const first = read()
  warnOfEnd(first, o.logger)
  return {
    first,
    follow(listener) {
      let { endsMs } = first
      const endObserving = observe([certificateMetrics.end], {
        // Known to the process: nothing to fail.
        onError: () => undefined,
        read: (report) => report(certificateMetrics.end, endsMs / 1_000),
      })
      return followFiles({
        ...o,
        name: 'internal certificate',
        first,
        everyMs: files.everyMs,
        read,
        take(renewed) {
          warnOfEnd(renewed, o.logger)
          listener.renewCertificate(renewed)
          endsMs = renewed.endsMs
        },
      }).finally(endObserving)
    },
  }
}

function warnOfEnd({ endsMs }: Certificate, logger: Logger): void {
  const ends = new Date(endsMs).toISOString()
  if (endsMs <= Date.now()) logger.error({ ends }, 'certificate of the internal listener has expired: nobody can ask')
}
