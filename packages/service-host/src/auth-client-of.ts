// How a service asks auth, by its settings.

import { type AuthClient, createAuthClient } from '@wds/access/auth-client'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { readAuthorities } from './certificate-files.ts'
import { followFiles } from './follow-files.ts'
import { followTokens } from './follow-tokens.ts'
import type { ServiceValues } from './service-settings.ts'

/** It is asked every second: one line tells of all that follow within. */
const logEveryMs = 300_000

/** Undefined where no address is set. Throws `SettingsError`. The files with the token and the CA are followed until `signal`. */
export function authClientOf(o: {
  values: ServiceValues
  logger: Logger
  signal: AbortSignal
  progress: Progress
  onStop(step: () => unknown): void
  /** For tests: milliseconds between two looks at a file. */
  everyMs?: number
}): AuthClient | undefined {
  const { WDS_AUTH_INTERNAL_URL: url, WDS_INTERNAL_TOKEN_FILE: file = '', WDS_AUTH_INTERNAL_CA_FILE: caFile } = o.values
  if (url === undefined) return undefined
  const tokens = followTokens(file, o)
  const ca = caFile === undefined ? undefined : followAuthorities(caFile, o)
  const throttle = new LogThrottle({ everyMs: logEveryMs })
  return createAuthClient({
    url,
    token: () => tokens()[0] ?? '',
    ca,
    onRefused(err) {
      throttle.wrong(() => o.logger.error({ err }, 'auth cannot be asked: its certificate is refused'))
    },
  })
}

/** Returns how to get those that are in use now. */
function followAuthorities(file: string, o: Parameters<typeof authClientOf>[0]): () => string {
  const read = () => readAuthorities('WDS_AUTH_INTERNAL_CA_FILE', file)
  let used = read()
  const take = (renewed: string) => {
    used = renewed
  }
  const { logger, signal, progress, everyMs } = o
  const ended = followFiles({ name: 'internal CA', first: used, read, take, logger, signal, progress, everyMs })
  o.onStop(() => ended)
  return () => used
}
