/**
 * One supervisor for each data folder. The lock is a listening local socket, so it ends with its process,
 * however that ends: a start after kill -9 finds nobody answering and takes over.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

function addressOf(dataFolder: string): string {
  const name = `wds-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.lock`)
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** @throws StartError when another supervisor runs on this folder. */
export async function becomeSingleInstance(dataFolder: string): Promise<{ release(): void }> {
  const address = addressOf(dataFolder)
  if (await answers(address))
    throw new StartError(`already running on the data folder ${dataFolder}: stop that one first`)
  if (process.platform !== 'win32') rmSync(address, { force: true })
  const server: Server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new StartError(`the lock of the data folder cannot be taken: ${error.message}`)),
    )
    server.listen(address, resolve)
  })
  return { release: () => void server.close() }
}
