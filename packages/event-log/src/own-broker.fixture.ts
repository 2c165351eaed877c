// A broker of a suite's own, to be restarted, wiped and killed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KafkaBroker, startKafka } from '@wds/local-infra/kafka-broker'
import { takeTestPorts } from '@wds/local-infra/test-ports'

export interface OwnBroker {
  broker: KafkaBroker
  end(): Promise<void>
}

/** A folder in `within` for a broker. Its name bears the id of this process: a run that was ended leaves it to whoever removes stacks (test-e2e/harness/abandoned-stacks.ts). */
export const brokerFolder = (within: string): string => mkdtempSync(join(within, `wds-broker-${process.pid}-`))

/** Null, and one line, where this machine cannot run a broker; an error where Kafka tests are required (the default under CI). */
export async function startOwnBroker(settings: Record<string, string> = {}): Promise<OwnBroker | null> {
  const folder = brokerFolder(tmpdir())
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  try {
    // A broker that is down must find its ports again.
    const { next } = await takeTestPorts()
    const broker = await startKafka({
      dataDirectory: join(folder, 'kafka'),
      port: await next(),
      settings,
    })
    return {
      broker,
      async end() {
        await broker.kill()
        remove()
      },
    }
  } catch (error) {
    remove()
    const { KAFKA_TESTS, CI } = process.env
    if ((KAFKA_TESTS ?? (CI ? 'required' : '')) === 'required') throw error
    process.stderr.write(`Kafka tests are skipped: ${(error as Error).message}\n`)
    return null
  }
}
