// What an operator names in OTEL_RESOURCE_ATTRIBUTES, as Prometheus reads it: both forms of a scrape, line by line.
import { expect, test } from '@jest/globals'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { createExemplars } from '../exemplars.ts'
import { ScrapeReader } from './scrape-reader.ts'
import { targetLabels } from './target-labels.ts'

test.each([
  ['names stay, dots become underscores', { 'service.name': 'api', pid: 7 }, { service_name: 'api', pid: '7' }],
  ['a digit does not begin a name', { '1st.rack': 'a' }, { key_1st_rack: 'a' }],
  ['names with two underscores are those of Prometheus', { __name__: 'up' }, { _name_: 'up' }],
  ['what becomes one name is one label', { 'a.b': '2', 'a-b': '1', a_b: '3' }, { a_b: '1;2;3' }],
  ['other alphabets', { größe: 'x', '': 'y' }, { gr_e: 'x', key_: 'y' }],
  ['lists, nothing, and the end of a text', { a: ['x'], b: undefined, c: 'a\0b' }, { a: '["x"]', b: '', c: 'ab' }],
])('%s', (_what, attributes, labels) => expect(targetLabels(attributes)).toEqual(labels))

test.each(['text', 'openmetrics'] as const)(
  'regression: target_info is a line that Prometheus reads, whatever an operator names (%s)',
  async (form) => {
    const resource = resourceFromAttributes({ 'a.b': '1', 'a-b': '2', '1st': 'x"\n\\', __name__: 'up', 'le gume': 'é' })
    const reader = new ScrapeReader({ exemplars: createExemplars({ nowMs: () => 0 }) })
    const provider = new MeterProvider({ readers: [reader], resource })
    const [line = ''] = (await reader.scrape(form)).split('\n').filter((text) => text.startsWith('target_info'))
    const label = /([a-zA-Z_]\w*)="(?:[^"\\\n]|\\["n\\])*"/g
    expect(line.replaceAll(label, '').replaceAll(',', '')).toBe('target_info{} 1')
    const names = [...line.matchAll(label)].map(([, name]) => name)
    expect(names.sort()).toEqual(['_name_', 'a_b', 'key_1st', 'le_gume'])
    await provider.shutdown()
  },
)
