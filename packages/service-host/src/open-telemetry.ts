// Opens what a process tells about itself: log lines, its own metrics, the page that is scraped. It is the only place where a
// service meets its telemetry; spans and metrics themselves are recorded where the work is done.
import type { RequestListener } from 'node:http'
import { createLogger, type Logger } from '@wds/telemetry/logger'
import { observeProcess } from '@wds/telemetry/observe-process'
import { scrape, scrapeContentTypes, scrapeFormOf } from '@wds/telemetry/scrape'
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
    pages: { '/metrics': (request, response) => void answerScrape(request, response, logger) },
    async close() {
      endObserving()
      const { sent } = await shutDownTelemetry()
      if (!sent) logger.warn('pending spans or metrics could not be exported')
    },
  }
}

/** 404 when metrics are not served (OTEL_METRICS_EXPORTER). */
async function answerScrape(
  request: Parameters<RequestListener>[0],
  response: Parameters<RequestListener>[1],
  logger: Logger,
): Promise<void> {
  try {
    const form = scrapeFormOf(request.headers.accept)
    const text = await scrape(form)
    if (text === null) {
      response.writeHead(404).end()
      return
    }
    const headers = { 'content-type': scrapeContentTypes[form], 'cache-control': 'no-store', vary: 'accept' }
    response.writeHead(200, headers).end(text)
  } catch (error) {
    logger.error({ err: error }, 'metrics could not be read')
    response.writeHead(500).end()
  }
}
