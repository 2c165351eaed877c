// Opens what a process tells about itself: log lines today. It is the only place where a service meets its telemetry.
import { createLogger, type Logger } from '@wds/telemetry/logger'
import type { ServiceValues } from './service-settings.ts'

/** The logger of the process; `close` writes out what is held back. */
export function openTelemetry(o: { service: string; values: ServiceValues }): {
  logger: Logger
  close(): Promise<void>
} {
  const logger = createLogger({ service: o.service, level: o.values.WDS_LOG_LEVEL })
  return { logger, close: async () => undefined }
}
