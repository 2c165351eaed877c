// Which form of the metrics a scraper gets.

import { expect, test } from '@jest/globals'
import { scrapeFormOf } from './scrape.ts'

const prometheus3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,' +
  'text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2'

test.each([
  ['openmetrics', 'Prometheus', prometheus3],
  ['openmetrics', 'who takes nothing else', 'application/openmetrics-text; version=1.0.0'],
  ['openmetrics', 'who has no preference', 'text/plain, Application/OpenMetrics-Text'],
  ['text', 'curl', '*/*'],
  ['text', 'who says nothing', undefined],
  ['text', 'who prefers text', 'application/openmetrics-text;q=0.3,text/plain;q=0.5'],
  ['text', 'who refuses it', 'application/openmetrics-text;q=0'],
  ['text', 'nonsense', 'application/openmetrics-text;q=x'],
])('%s for %s', (form, _who, accept) => expect(scrapeFormOf(accept)).toBe(form))
