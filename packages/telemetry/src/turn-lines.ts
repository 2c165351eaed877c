// Standard output for log lines: those of one turn of the event loop go out in one write, since under load a turn has many and a write
// costs more than its line. Lines never stop a process: where nobody reads them they are dropped.
import { writeSync } from 'node:fs'

/** What goes out before the turn has ended, characters. */
const gatheredMax = 8_192
/** Between two tries of a pipe that is full, ms. */
const fullMs = 10

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

/** Writes to the open file `fd`. A line is lost when the process is killed within the turn that wrote it, and when `fd` takes none. */
export function createTurnLines(fd: number): LogDestination {
  let gathered = ''
  let isAsked = false
  const flush = (): void => {
    isAsked = false
    const lines = gathered
    gathered = ''
    if (lines !== '') writeAll(fd, lines)
  }
  process.on('exit', flush)
  return {
    flush,
    write(line) {
      gathered += line
      if (gathered.length > gatheredMax) return flush()
      if (isAsked) return
      isAsked = true
      setImmediate(flush)
    },
  }
}

/** Waits while a pipe is full: its reader is slow, and what it has to read is bounded by what is written. */
function writeAll(fd: number, lines: string): void {
  for (let left = Buffer.from(lines); left.byteLength > 0; ) {
    try {
      left = left.subarray(writeSync(fd, left))
    } catch (error) {
      // The reader is gone, the disk is full: there is nobody to tell, and what the process does matters more.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullMs)
    }
  }
}
