// What a running network holds.
import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from './faults.ts'
import type { NetworkSize } from './network.ts'

/** One request for a report, as it came in. */
export interface ReportRequest {
  /** Path and query. */
  target: string
  headers: IncomingHttpHeaders
  /** 0 where no answer was begun. */
  status: number
}

/** What the reports are made with. */
export interface NetworkState {
  size: NetworkSize
  pageRows: number
  fault: Fault | null
  asOfMs: number | null
  requests: ReportRequest[]
  bodyBytes: number
  limit: { requests: number; windowMs: number } | null
  /** Requests of the window that began then. */
  window: { sinceMs: number; requests: number }
  /** Fires when the network closes. */
  closing: AbortController
}
