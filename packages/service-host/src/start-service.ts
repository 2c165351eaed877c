// Starts a service from its description: what all services do, in one order. A start that fails closes what it opened.

import { randomBytes } from 'node:crypto'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import {
  createEnvelopeEncryption,
  type EnvelopeEncryption,
  keyIdOf,
} from '@wds/envelope-encryption/envelope-encryption'
import { type Management, openManagement } from '@wds/http-service/management'
import { watchEventLoop } from '@wds/telemetry/event-loop-delay'
import { createProgress, type Progress } from '@wds/telemetry/progress'
import type { DatabaseCheck } from './await-database.ts'
import { readEncryption } from './encryption.ts'
import { type AddressFiles, followPasswords } from './follow-passwords.ts'
import { createHealth } from './health.ts'
import { openTelemetry } from './open-telemetry.ts'
import type { StartedService } from './process.ts'
import type { HostContext, Service } from './service.ts'
import type { ServiceValues } from './service-settings.ts'
import { startHttp } from './start-http.ts'
import { startWorker } from './start-worker.ts'

/** A service that runs in this process. */
export interface RunningService extends StartedService {
  /** Null without a management listener. */
  managementPort: number | null
}

/**
 * Starts what WDS_ROLE asks for. `signal` is aborted when the process is to end; `stop` must be called all the same. `addressFiles`: what their
 * passwords are read from again while it runs. `progress` is for tests.
 */
export async function startService<V extends ServiceValues, S, W>(
  service: Service<V, S, W>,
  o: { values: V; signal: AbortSignal; addressFiles?: AddressFiles; progress?: Progress },
): Promise<RunningService> {
  const { values } = o
  const startedMs = performance.now()
  const root = new AsyncDisposableStack()
  const stopping = new AbortController()
  try {
    const telemetry = openTelemetry({ service: service.name, values })
    root.defer(() => telemetry.close())
    const { logger } = telemetry
    const signal = AbortSignal.any([o.signal, stopping.signal])
    const onStop = (step: () => unknown) => root.defer(async () => void (await step()))
    const context: HostContext<V> = { values, logger, signal, onStop }
    const progress = o.progress ?? createProgress()
    const health = createHealth({ role: values.WDS_ROLE, signal, logger, progress })
    onStop(health.close)
    const management = await manage(values, {
      logger,
      pages: telemetry.pages,
      alive: health.alive,
      ready: health.ready,
    })
    if (management) onStop(() => management.close())
    followPasswords({ ...context, files: o.addressFiles ?? {}, progress })
    const shared = (await service.shared?.(context)) as S
    const { envelope, key } = keyOf(service, values)
    // Both end at the same time: requests and attempts under way share one budget (kubernetes.md K30).
    const roles = [new AsyncDisposableStack(), new AsyncDisposableStack()] as const
    onStop(() => {
      stopping.abort()
      return settleAll(roles.map((role) => role.disposeAsync()))
    })
    const [worker, http] = roles
    const part = (role: AsyncDisposableStack) => ({
      ...context,
      envelope,
      shared,
      onStop: (step: () => unknown) => role.defer(async () => void (await step())),
    })
    const startedWorker =
      values.WDS_ROLE === 'http'
        ? null
        : await startWorker(service, { ...part(worker), progress: health.progress, key })
    const port =
      values.WDS_ROLE === 'worker'
        ? null
        : await startHttp(service, {
            ...part(http),
            key,
            worker: startedWorker?.worker ?? null,
            clock: startedWorker?.clock ?? null,
            startedMs,
            progress: health.progress,
            alsoReadyWhen: health.alsoReadyWhen,
          })
    health.started()
    // Not before: what a start loads and compiles takes longer, and nobody is served yet.
    onStop(watchEventLoop(logger))
    const at = { role: values.WDS_ROLE, port, management_port: management?.port ?? null }
    logger.info({ ...at, settings: service.printSettings(values) }, 'started')
    return withoutUndefined({
      port: port ?? undefined,
      managementPort: management?.port ?? null,
      stop: () => root.disposeAsync(),
    })
  } catch (error) {
    // What was opened before the roles may wait for it: else the process would live on, and say nothing.
    stopping.abort()
    // What failed first is what the operator has to know.
    await root.disposeAsync().catch(() => undefined)
    throw error
  }
}

async function manage(
  values: ServiceValues,
  o: Pick<Parameters<typeof openManagement>[0], 'logger' | 'alive' | 'ready' | 'pages'>,
): Promise<Management | null> {
  const { WDS_MANAGEMENT_PORT: port, WDS_MANAGEMENT_HOST: host, WDS_BASE_URL: baseUrl } = values
  return port === undefined ? null : await openManagement({ ...o, host, port, baseUrl })
}

/** The encryption of stored secrets; without a key file it holds a key of this process, which nothing is to be stored by. */
function keyOf<V extends ServiceValues, S, W>(
  service: Service<V, S, W>,
  values: V,
): { envelope: EnvelopeEncryption; key: DatabaseCheck['key'] } {
  const { WDS_ENCRYPTION_KEY_FILE: file, WDS_ENCRYPTION_OLD_KEY_FILES: old = [] } = values
  if (file !== undefined) {
    const key = readEncryption({ WDS_ENCRYPTION_KEY_FILE: file, WDS_ENCRYPTION_OLD_KEY_FILES: old })
    return { envelope: key.envelope, key }
  }
  if (service.callers === 'known') throw new Error('WDS_ENCRYPTION_KEY_FILE is not declared')
  const own = randomBytes(32)
  return { envelope: createEnvelopeEncryption([{ kid: keyIdOf(own), key: own }]), key: null }
}

/** Waits for all of them; throws the first fault. */
async function settleAll(steps: PromiseLike<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(steps)).find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
