// Says at the start of a worker that its attempts may want more file descriptors than the process may open. Nothing is lost then: what cannot
// begin is given back (give-back.ts), and is late without need.
import { limitsOf, slowAfterMs } from './domain/fair-share.ts'
import type { SenderLogger, SenderSettings } from './sender-settings.ts'

/** What a worker has open beside the connections of its attempts: to the database and the log, its listeners, modules. About 60 under load. */
const besideAttempts = 64

/**
 * How many this process may open at one time: Node raised it to the hard limit when it started. Null where nothing limits them, or nobody
 * tells it (Windows).
 */
function openFilesMax(): number | null {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report
  const { excludeNetwork = false } = report
  // Else it looks up the names of all peers.
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  report.excludeNetwork = excludeNetwork
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : null
}

/**
 * While endpoints begin to hang, as many attempts as there are slots and spare ones begin in each second: one that hangs keeps its slot no
 * longer, and its connection until the deadline. Connections that are kept for the next delivery of an endpoint are not counted: they are
 * ended when descriptors run out.
 */
export function warnOfOpenFiles(o: Pick<SenderSettings, 'slots' | 'deadlineMs'> & { logger: SenderLogger }): void {
  const { slots, deadlineMs, logger } = o
  const openFiles = openFilesMax()
  const attempts = (slots + limitsOf(slots).spareSlots) * Math.ceil(deadlineMs / slowAfterMs)
  const wanted = attempts + besideAttempts
  if (openFiles === null || wanted <= openFiles) return
  logger.warn(
    { slots, open_files: openFiles, wanted },
    `too few open files: with WDS_DELIVERY_SLOTS at ${slots} a worker has up to ${attempts} attempts under way while endpoints hang, each with a connection, and ${besideAttempts} files beside them, and this process may open ${openFiles}; attempts are late while they run out. Raise the limit to ${wanted} or more (ulimit -n, LimitNOFILE of systemd, ulimits of compose), or lower WDS_DELIVERY_SLOTS and run more workers`,
  )
}
