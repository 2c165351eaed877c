// Standard output for log lines: those of one turn of the event loop go out in one write, since under load a turn has many and a write
// costs more than its line. Lines never hold up a process: what a full pipe does not take waits, and beyond a bound it is dropped.
// `pino.destination` cannot do that: its `flushSync` stands still as long as a reader stalls, and drops are not told to the reader.
import { writeSync } from 'node:fs'

/** What goes out before the turn has ended, characters. */
const gatheredMax = 8_192
/** What waits while a pipe is full, characters; further lines are dropped and counted. */
const waitingMax = 4_194_304
/** Between two tries of a pipe that is full, ms. */
const fullMs = 10
/** Tries in a row that take nothing until the end of the process gives its lines up: a second. */
const triesAtExit = 100

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
  // Makes a pipe one that says that it is full: else the process would stand still until somebody reads.
  void process.stdout
  standard ??= createTurnLines(1)
  return standard
}

/** Writes to the open file `fd`. A line is lost when the process is killed within the turn that wrote it, and when nobody reads. */
export function createTurnLines(fd: number): LogDestination {
  let gathered = ''
  /** What a full pipe has not taken of the lines before. */
  let waiting = Buffer.alloc(0)
  let dropped = 0
  let isAsked = false
  let isFull = false
  /** True when all is written. */
  const send = (): boolean => {
    for (;;) {
      if (waiting.byteLength === 0) {
        if (gathered === '' && dropped > 0) {
          gathered = droppedLine(dropped)
          dropped = 0
        }
        if (gathered === '') return true
        waiting = Buffer.from(gathered)
        gathered = ''
      }
      waiting = writeWhatFits(fd, waiting)
      if (waiting.byteLength > 0) return false
    }
  }
  const flush = (): void => {
    isAsked = false
    if (isFull || send()) return
    isFull = true
    setTimeout(() => {
      isFull = false
      flush()
    }, fullMs).unref()
  }
  process.on('exit', () => {
    for (let tries = 0; tries < triesAtExit; tries += 1) {
      const { byteLength } = waiting
      if (send()) return
      if (waiting.byteLength !== byteLength) tries = 0
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullMs)
    }
  })
  return {
    flush,
    write(line) {
      if (dropped > 0 || gathered.length + line.length > waitingMax) {
        dropped += 1
        return
      }
      gathered += line
      if (gathered.length > gatheredMax) return flush()
      if (isAsked) return
      isAsked = true
      setImmediate(flush)
    },
  }
}

/** What the file did not take because it is full; nothing where there is nobody to tell. */
function writeWhatFits(fd: number, lines: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  let left = lines
  try {
    while (left.byteLength > 0) left = left.subarray(writeSync(fd, left))
    return left
  } catch (error) {
    // The reader is gone, the disk is full: what the process does matters more.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? left : Buffer.alloc(0)
  }
}

function droppedLine(lines: number): string {
  const time = new Date().toISOString()
  return `${JSON.stringify({ level: 'warn', time, pid: process.pid, lines, msg: 'log lines dropped, nobody read them' })}\n`
}
