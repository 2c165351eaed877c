import { expect, test } from '@jest/globals'
import { foundPortTaken, whyNotReady } from './kafka-process.ts'

const info = '2026-01-01T00:00:00,000 INFO AbstractConfig KafkaConfig values:'
const setting = '\tunclean.leader.election.interval.ms = 300000'
const fatal = '2026-01-01T00:00:00,000 ERROR ProcessTerminatingFaultHandler Encountered fatal fault: caught exception'
const taken = 'Caused by: java.net.BindException: Address already in use'

test("regression: the controller's port that another program took is found, though Kafka goes on for hundreds of lines", () => {
  const lines = [info, fatal, taken, ...Array<string>(380).fill(setting), info]
  expect(foundPortTaken(lines)).toBe(true)
  expect(whyNotReady({ code: 1, signal: null }, lines)).toBe(
    'it ended by status 1; Caused by: java.net.BindException: Address already in use',
  )
})

test('a start that came to nothing tells how the process ended, and else what it wrote last', () => {
  expect(foundPortTaken([info, fatal])).toBe(false)
  expect(whyNotReady({ code: null, signal: 'SIGKILL' }, [info])).toBe(
    `it ended by SIGKILL; the last line of its log: ${info}`,
  )
  expect(whyNotReady({ code: 1, signal: null }, [])).toBe('it ended by status 1; the last line of its log: none')
  expect(whyNotReady(null, [info, fatal, info])).toBe(`it was not ready within 180 s; ${fatal}`)
})
