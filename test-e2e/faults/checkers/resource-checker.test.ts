import { describe, expect, test } from '@jest/globals'
import { peaksOf, type ResourceHistory, resourceBreachesOf, type Sample } from './resource-checker.ts'

const sample = (what: string, value: number, atMs = 0): Sample => ({ what, value, atMs })
const good: ResourceHistory = {
  samples: [sample('descriptors of api', 40), sample('rows of outbox', 0), sample('descriptors of api', 256, 1_000)],
  limits: { 'descriptors of api': 256, 'rows of outbox': 100 },
}

describe('the checker of resources', () => {
  test('finds nothing in a good history, at the limit included', () => {
    expect(resourceBreachesOf(good)).toEqual([])
    expect([...peaksOf(good.samples)]).toEqual([
      ['descriptors of api', 256],
      ['rows of outbox', 0],
    ])
  })

  test.each<[string, string, Partial<ResourceHistory>, string]>([
    [
      'I22',
      'one sample over the limit, the last one',
      { samples: [...good.samples, sample('rows of outbox', 101, 2_000)] },
      'rows of outbox: 101, at most 100, in 1 of 2 samples, first at 1970-01-01T00:00:02',
    ],
    [
      'I22',
      'one sample over the limit between good ones',
      { samples: [sample('descriptors of api', 999), ...good.samples] },
      'descriptors of api: 999, at most 256, in 1 of 3 samples',
    ],
    ['I22', 'a figure that nobody sampled', { samples: good.samples.slice(1, 2) }, 'nobody sampled descriptors of api'],
    [
      'I22',
      'a figure without a limit',
      { samples: [...good.samples, sample('sockets of api', 1)] },
      'sockets of api has no limit',
    ],
    [
      'I22',
      'a value that is no number',
      { samples: [...good.samples, sample('rows of outbox', Number.NaN)] },
      'rows of outbox: NaN',
    ],
  ])('%s: names %s', (wanted, _, damage, told) => {
    const [breach = '', ...more] = resourceBreachesOf({ ...good, ...damage })
    expect(more).toEqual([])
    expect(breach.startsWith(`${wanted}: ${told}`)).toBe(true)
  })
})
