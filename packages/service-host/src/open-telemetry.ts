// Opens what a process tells about itself: log lines, its own metrics, the page that is scraped. It is the only place where a
// service meets its telemetry; spans and metrics themselves are recorded where the work is done.
import type { RequestListener } from 'node:http'
import { createLogger, type Logger } from '@wds/telemetry/logger'
import { observeProcess } from '@wds/telemetry/observe-process'
import { scrape, scrapeContentType } from '@wds/telemetry/scrape'
import { shutDownTelemetry } from '@wds/telemetry/shutdown'
import type { ServiceValues } from './service-settings.ts'

/** The logger of the process and what the management listener serves of it; `close` sends what is held back, within 3 s. */
export function openTelemetry(o: { service: string; values: Pick<ServiceValues, 'WDS_LOG_LEVEL'> }): {
  logger: Logger
  pages: Readonly<Record<string, RequestListener>>
  close(): Promise<void>
} {
  const logger = createLogger({ service: o.service, level: o.values.WDS_LOG_LEVEL })
  const endObserving = observeProcess((error) => logger.warn({ err: error }, 'process metrics could not be read'))
  return {
    logger,
    pages: { '/metrics': (_request, response) => void answerScrape(response, logger) },
    async close() {
      endObserving()
      const { sent } = await shutDownTelemetry()
      if (!sent) logger.warn('pending spans or metrics could not be exported')
    },
  }
}

/** 404 when metrics are not served (OTEL_METRICS_EXPORTER). */
async function answerScrape(response: Parameters<RequestListener>[1], logger: Logger): Promise<void> {
  try {
    const text = await scrape()
    if (text === null) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': scrapeContentType, 'cache-control': 'no-store' }).end(text)
  } catch (error) {
    logger.error({ err: error }, 'metrics could not be read')
    response.writeHead(500).end()
  }
}
