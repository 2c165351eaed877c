/**
 * One supervisor for each data folder. The lock is a listening local socket, so it ends with its process,
 * however that ends: a start after kill -9 finds nobody answering and takes over.
 */
import { createHash } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** The folder has one name here, through whatever links it was reached. */
function addressOf(dataFolder: string): string {
  const name = `wds-${createHash('sha256').update(realpathSync(dataFolder)).digest('hex').slice(0, 16)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.lock`)
}

/** Longest wait for the holder's process id; one that is stopped or of an older version does not send it. */
const askMs = 1_000

/** Behind the process id of one that is ending. */
const stoppingMark = ' stopping'

/** Who listens there: its process id, marked when it is ending, `somebody`, or nobody. `foreign`: a lock that this user may not ask. */
function ask(address: string): Promise<string | 'somebody' | 'nobody' | 'foreign'> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const answer = (who: string) => {
      socket.destroy()
      resolve(who)
    }
    socket.once('connect', () => socket.setTimeout(askMs, () => answer('somebody')))
    socket.once('data', (said) => answer(String(said)))
    socket.once('end', () => answer('somebody'))
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EACCES' || code === 'EPERM' ? 'foreign' : 'nobody'),
    )
  })
}

function foreignLock(dataFolder: string, address: string): StartError {
  return new StartError(
    `the lock of the data folder ${dataFolder} (${address}) belongs to another user: ` +
      'stop what that user started on it, or have the file removed',
  )
}

function taken(dataFolder: string, holder: string): StartError {
  if (holder.endsWith(stoppingMark)) {
    const who = holder.slice(0, -stoppingMark.length)
    return new StartError(
      `the one before (process ${who}) is still stopping on the data folder ${dataFolder}: start again in some seconds`,
    )
  }
  const who = holder === 'somebody' ? '' : ` (process ${holder})`
  return new StartError(`already running on the data folder ${dataFolder}${who}: stop that one first`)
}

export interface SingleInstance {
  /** From now on whoever starts hears that this one is ending, so that nobody stops what stops. */
  announceStop(): void
  release(): void
}

/** @throws StartError when another supervisor runs on this folder, or its lock belongs to another user. */
export async function becomeSingleInstance(dataFolder: string): Promise<SingleInstance> {
  const address = addressOf(dataFolder)
  const holder = await ask(address)
  if (holder === 'foreign') throw foreignLock(dataFolder, address)
  if (holder !== 'nobody') throw taken(dataFolder, holder)
  let answer = String(process.pid)
  // The other start may close its end before it has read the answer.
  const server: Server = createServer((socket) => socket.on('error', () => undefined).end(answer))
  try {
    if (process.platform !== 'win32') rmSync(address, { force: true })
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EPERM' || code === 'EACCES') throw foreignLock(dataFolder, address)
    throw new StartError(`the lock of the data folder ${dataFolder} cannot be taken: ${message}`)
  }
  return {
    announceStop() {
      answer = `${process.pid}${stoppingMark}`
    },
    release: () => void server.close(),
  }
}
