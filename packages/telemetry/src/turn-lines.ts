// Standard output for log lines: those of one turn of the event loop go out in one write, since under load a turn has many and a write
// costs more than its line.
import pino from 'pino'

/** What goes out before the turn has ended, bytes. */
const bytesMax = 8_192

/** Where lines go. */
export interface LogDestination {
  /** Gets one whole line with its line feed. */
  write(line: string): void
  /** Writes what is gathered: called behind a line of level warn and above. */
  flush?(): void
}

let standard: LogDestination | null = null

/** The one of this process. */
export function standardOutput(): LogDestination {
  standard ??= createTurnLines(1)
  return standard
}

/** Writes to the open file `fd`. A line is lost when the process is killed within the turn that wrote it, and at no other end. */
export function createTurnLines(fd: number): LogDestination {
  const out = pino.destination({ fd, sync: true, minLength: bytesMax })
  let isAsked = false
  const flush = (): void => {
    isAsked = false
    out.flushSync()
  }
  process.on('exit', flush)
  return {
    flush,
    write(line) {
      out.write(line)
      if (isAsked) return
      isAsked = true
      setImmediate(flush)
    },
  }
}
