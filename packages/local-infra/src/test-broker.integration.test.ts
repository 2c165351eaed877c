// What finds the broker for tests, with the runner's own and with one in a process of its own that has no Java.
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { lookWhereRequestsWait } from '@wds/kafkajs-requests/request-checks'
import { Kafka, logLevel } from 'kafkajs'
import { findTestBroker } from './test-broker.ts'

const shared = await findTestBroker()

;('brokers' in shared ? test : test.skip)('suites of a run share one broker that serves', async () => {
  const again = await findTestBroker()
  expect(again).toEqual(shared)
  const { brokers } = shared as { brokers: string }
  lookWhereRequestsWait()
  const admin = new Kafka({ clientId: 'test', brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  expect((await admin.describeCluster()).brokers.length).toBeGreaterThan(0)
  await admin.disconnect()
})

describe('where no Kafka can be had', () => {
  /** Serves and asks in another process, without Java on its path. */
  async function askWithoutJava(env: Record<string, string>): Promise<{ stdout: string; stderr: string; pid: number }> {
    const url = JSON.stringify(new URL('./test-broker.ts', import.meta.url).href)
    const program = `
      const { findTestBroker, serveTestBroker } = await import(${url})
      const served = await serveTestBroker()
      const answer = await findTestBroker().catch((error) => ({ error: error.message }))
      await served.stop()
      process.stdout.write(JSON.stringify(answer))`
    const bare = { PATH: '/nonexistent', DOCKER_HOST: 'unix:///nonexistent', HOME: tmpdir(), TMPDIR: tmpdir() }
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...bare, ...env },
    })
    return { ...(await running), pid: running.child.pid ?? 0 }
  }

  test('one line names all three ways, and nothing stays', async () => {
    const { stdout, stderr, pid } = await askWithoutJava({})
    expect(Object.keys(JSON.parse(stdout))).toEqual(['missing'])
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toMatch(/^Kafka tests are skipped: KAFKA_BROKERS is not set, no Docker engine answers, and .*Java/)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`wds-test-kafka-${pid}-`))).toEqual([])
  })

  test('it is an error where Kafka tests are required, as they are in CI', async () => {
    for (const env of [{ CI: 'true' }, { KAFKA_TESTS: 'required' }]) {
      expect(JSON.parse((await askWithoutJava(env)).stdout).error).toMatch(
        /^Kafka tests are required and there is no Kafka/,
      )
    }
    expect(JSON.parse((await askWithoutJava({ CI: 'true', KAFKA_TESTS: 'optional' })).stdout)).toHaveProperty('missing')
  })

  test('a broker that is named is taken as it is', async () => {
    const { stdout } = await askWithoutJava({ KAFKA_BROKERS: '127.0.0.1:9,127.0.0.1:10', CI: 'true' })
    expect(JSON.parse(stdout)).toEqual({ brokers: '127.0.0.1:9,127.0.0.1:10' })
  })
})
