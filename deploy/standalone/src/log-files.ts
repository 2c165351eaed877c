/** Log files of the programs: each is appended to by one program and kept below about 20 MiB, also while that program writes. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { dirname } from 'node:path'

const logBytesMax = 10 * 1024 * 1024
const rotateEveryMs = 1_000
const tailBytes = 4 * 1024

/** Opens a log for appending and makes its folder, which somebody may have removed. Throws what the file system throws. */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  return openSync(file, 'a', 0o600)
}

/** Last line that the program wrote before it ended: its own sentence about why it cannot start. */
export function lastLine(file: string): string {
  if (!existsSync(file)) return ''
  const fd = openSync(file, 'r')
  const size = statSync(file).size
  const buffer = Buffer.alloc(Math.min(size, tailBytes))
  readSync(fd, buffer, 0, buffer.length, size - buffer.length)
  closeSync(fd)
  return buffer.toString('utf8').trim().split('\n').at(-1) ?? ''
}

/**
 * Moves what is in a full log to `<file>.1` and empties it. The program goes on in the same file: it appends, so that its next
 * line stands at the beginning. A line that is written between the copy and the cut is lost.
 */
export function rotateWhenFull(file: string, bytesMax: number = logBytesMax): void {
  if (!existsSync(file) || statSync(file).size <= bytesMax) return
  try {
    copyFileSync(file, `${file}.1`)
  } catch {
    // A full disk: then the room counts more than the old lines.
    rmSync(`${file}.1`, { force: true })
  } finally {
    truncateSync(file)
  }
}

/** Rotates the files every second until `stop`. `onFault` hears once why it cannot be done. */
export function keepRotated(files: string[], onFault: (error: unknown) => void): { stop(): void } {
  const faulty = new Set<string>()
  const turn = (): void => {
    for (const file of files) {
      try {
        rotateWhenFull(file)
        faulty.delete(file)
      } catch (error) {
        if (!faulty.has(file)) onFault(error)
        faulty.add(file)
      }
    }
  }
  turn()
  const timer = setInterval(turn, rotateEveryMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
