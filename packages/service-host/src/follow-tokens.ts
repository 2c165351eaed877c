// The service tokens of auth's internal listener, read again while the process runs (decision 101): the listener takes each of the file, who asks
// sends the first.
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { followFiles } from './follow-files.ts'
import { readTokens } from './secret-files.ts'

/** Returns how to get those that hold now. Throws `SettingsError`. The file is followed until `signal`. */
export function followTokens(
  file: string,
  o: {
    logger: Logger
    signal: AbortSignal
    progress: Progress
    onStop(step: () => unknown): void
    /** For tests: milliseconds between two looks at the file. */
    everyMs?: number | undefined
  },
): () => readonly string[] {
  const read = () => readTokens('WDS_INTERNAL_TOKEN_FILE', file)
  let used = read()
  const take = (renewed: string[]) => {
    used = renewed
  }
  const { logger, signal, progress, everyMs } = o
  const ended = followFiles({ name: 'service tokens', first: used, read, take, logger, signal, progress, everyMs })
  o.onStop(() => ended)
  return () => used
}
