import { describe, expect, test } from '@jest/globals'
import { fold } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import { type AnomalyEvent, anomalyDecider } from './anomaly.ts'
import { finding } from './finding.fixture.ts'
import { anomalyPublicEvent } from './public-events.ts'

const detected: AnomalyEvent = { type: 'AnomalyDetected', data: { finding } }
const acknowledged: AnomalyEvent = { type: 'AnomalyAcknowledged', data: { note: 'I look' } }
const resolved: AnomalyEvent = { type: 'AnomalyResolved', data: { resolution: 'recovered', note: null } }

describe('the life of an anomaly', () => {
  test('it is found open, and found once', () => {
    given(anomalyDecider, []).when({ type: 'detect', finding }).then([detected])
    const allowed = ['acknowledge', 'resolve', 'dismiss']
    given(anomalyDecider, [detected])
      .when({ type: 'detect', finding })
      .thenRejected({ code: 'invalid_state', current_status: 'open', allowed })
  })

  test('one that was taken on is resolved or dismissed, not taken on again', () => {
    const history = [detected, acknowledged]
    given(anomalyDecider, history)
      .when({ type: 'acknowledge', note: null })
      .thenRejected({ code: 'invalid_state', current_status: 'acknowledged', allowed: ['resolve', 'dismiss'] })
    const dismissed = { type: 'AnomalyDismissed', data: { reason: 'expected', note: null } } as const
    given(anomalyDecider, history).when({ type: 'dismiss', reason: 'expected', note: null }).then([dismissed])
  })

  test('nothing changes an ended one, and the last note stays', () => {
    const history = [detected, acknowledged, resolved]
    given(anomalyDecider, history)
      .when({ type: 'dismiss', reason: 'other', note: null })
      .thenRejected({ code: 'invalid_state', current_status: 'resolved', allowed: [] })
    expect(fold(anomalyDecider, history)).toMatchObject({ resolution: 'recovered', reason: null, note: 'I look' })
  })

  test('each event is told once for the anomaly', () => {
    const state = fold(anomalyDecider, [detected])
    const told = [detected, acknowledged, resolved].map((event) => anomalyPublicEvent('ano_1', state, event))
    expect(told.map(({ type, onceKey }) => [type, onceKey])).toEqual([
      ['anomaly.detected', 'ano_1'],
      ['anomaly.acknowledged', 'ano_1'],
      ['anomaly.resolved', 'ano_1'],
    ])
    expect(told[0]?.data).toMatchObject({ date: '2026-11-20', brand_slug: 'acme', observed: 900, campaign_id: null })
    expect(told[2]?.data).toMatchObject({ resolution: 'recovered' })
  })
})
