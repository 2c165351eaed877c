// Keeps idle clients of Kafka from waking their process. From the first answer of a connection until its end kafkajs looks every millisecond
// whether a request that waits may be sent, also while none waits: an idle process woke 1,000 times a second and took 2 % of a core. The
// first of these timers has a negative delay, of which Node warns.
import { createRequire } from 'node:module'

interface RequestQueue {
  pending: unknown[]
  scheduleCheckPendingRequests(): void
}

const require = createRequire(import.meta.url)
const RequestQueue: { prototype: RequestQueue } = require('kafkajs/src/network/requestQueue')
let isDone = false

/** For all clients of this process; a second call does nothing. kafkajs queues a request that has to wait before it plans the next look, so none is missed. */
export function lookWhereRequestsWait(): void {
  if (isDone) return
  isDone = true
  const { scheduleCheckPendingRequests } = RequestQueue.prototype
  RequestQueue.prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this)
  }
}
