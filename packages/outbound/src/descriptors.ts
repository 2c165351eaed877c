// Tells whether file descriptors are left: c-ares, which asks name servers, calls the lack of one ECONNREFUSED, as if they were out of reach,
// and getaddrinfo calls it anything.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type EventEmitter, errorMonitor } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { errorCodeOf } from './attempt-errors.ts'

/** A look-up that lacked one has given back those that it had before anybody hears of it. */
const enough = 4

/** True for an error that says that this process, or its machine, can open no further file. */
export const isOutOfDescriptors = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(errorCodeOf(error))

/** False when no more than a few files can be opened now. */
export function hasDescriptors(): boolean {
  const open: number[] = []
  try {
    while (open.length < enough) open.push(openSync(devNull, 'r'))
    return true
  } catch (error) {
    return !isOutOfDescriptors(error)
  } finally {
    for (const one of open) closeSync(one)
  }
}

const channel = 'net.client.socket'
const listeners = new Set<() => void>()

/** Calls `fn` when a connection of this process lacked one, whoever makes it: to the database, to Kafka. Returns how to end that. */
export function onConnectionWithoutDescriptor(fn: () => void): () => void {
  if (listeners.size === 0) subscribe(channel, watch)
  listeners.add(fn)
  return () => {
    listeners.delete(fn)
    if (listeners.size === 0) unsubscribe(channel, watch)
  }
}

function watch(message: unknown): void {
  const { socket } = message as { socket: EventEmitter }
  socket.once(errorMonitor, (error: NodeJS.ErrnoException) => {
    if (isOutOfDescriptors(error) || (error.syscall === 'getaddrinfo' && !hasDescriptors()))
      for (const fn of listeners) fn()
  })
}
