// The text for Prometheus, from the preload to the management listener. Apart from metrics.ts, which the preload must not load: what is
// declared there binds to the provider of the moment.

/** `text`: what anybody reads. `openmetrics`: the same with exemplars, where the scraper asks for it. */
export type ScrapeForm = 'text' | 'openmetrics'

let scraper: ((form: ScrapeForm) => Promise<string>) | null = null

/** Makes `scrape` give this text, null for nothing. For the preload and for tests. */
export function installScraper(installed: ((form: ScrapeForm) => Promise<string>) | null): void {
  scraper = installed
}

/** The metrics as text for Prometheus; null when OTEL_METRICS_EXPORTER does not name it. */
export function scrape(form: ScrapeForm = 'text'): Promise<string> | null {
  return scraper?.(form) ?? null
}

export const scrapeContentTypes: Readonly<Record<ScrapeForm, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** The form that an `Accept` header asks for: OpenMetrics where it stands, and not behind plain text. */
export function scrapeFormOf(accept: string | undefined): ScrapeForm {
  let [openMetrics, text] = [0, 0]
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
    if (type === 'application/openmetrics-text') openMetrics = Math.max(openMetrics, quality)
    if (type === 'text/plain') text = Math.max(text, quality)
  }
  return openMetrics > 0 && openMetrics >= text ? 'openmetrics' : 'text'
}
