// kafkajs looks every millisecond whether a request may be sent that waits, from the first answer of a connection until its end, also where
// none waits: a process that does nothing woke 1,000 times a second and took 2 % of a core. Node warned of the first of these timers, whose
// delay is negative.
import { createRequire } from 'node:module'

interface RequestQueue {
  pending: unknown[]
  scheduleCheckPendingRequests(): void
}

const require = createRequire(import.meta.url)
const RequestQueue: { prototype: RequestQueue } = require('kafkajs/src/network/requestQueue')
let isDone = false

/** For all clients of this process; nothing at the second call. What has to wait, kafkajs puts down first and plans a look then. */
export function lookWhereRequestsWait(): void {
  if (isDone) return
  isDone = true
  const { scheduleCheckPendingRequests } = RequestQueue.prototype
  RequestQueue.prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this)
  }
}
