// The text for Prometheus, from the preload to the management listener. Apart from metrics.ts, which the preload must not load: what is
// declared there binds to the provider of the moment.

let scraper: (() => Promise<string>) | null = null

/** Makes `scrape` give this text, null for nothing. For the preload and for tests. */
export function installScraper(installed: (() => Promise<string>) | null): void {
  scraper = installed
}

/** The metrics as text for Prometheus; null when OTEL_METRICS_EXPORTER does not name it. */
export function scrape(): Promise<string> | null {
  return scraper?.() ?? null
}

/** The content type of `scrape`. */
export const scrapeContentType = 'text/plain; version=0.0.4; charset=utf-8'
