// The settings of the attempt loop and what is wrong with them; `config.ts` reads the environment, this file only judges.

import { type HostLimits, isLoopbackHost } from './domain/host-cap.ts'

/** Settings of a worker; times in milliseconds. */
export interface SenderSettings {
  /** WDS_DELIVERY_SLOTS, default 256. */
  readonly slots: number
  /** WDS_DELIVERY_DEADLINE, default 10,000: the whole attempt (settled-points.md 5). */
  readonly deadlineMs: number
  /** WDS_DELIVERY_LEASE, default 30,000; longer than the deadline and the margin. */
  readonly leaseMs: number
  /** Lanes a claim looks at, 16 to 32 (stack.md 7.8). */
  readonly lanes: number
  /** How long ends of attempts are collected before they are written. */
  readonly collectMs: number
  /** Longest sleep while nothing is due: another process may have made work. */
  readonly pollMs: number
  /** How often lost leases are taken over. */
  readonly takeoverMs: number
  /** How long a lost lease that cannot be settled waits for the next try. */
  readonly stuckMs: number
  /** How long a lane waits between two looks for a key that opens its secret. */
  readonly holdMs: number
  /** How long a lane waits between two attempts that a fault of this machine or its name servers keeps from being made. */
  readonly restMs: number
  /** How long a lane waits whose host gets all that this worker may ask of it. */
  readonly hostRestMs: number
  readonly hosts: HostLimits
  /** A lane that faults of this machine held for longer than this is not held again: the attempt failed. */
  readonly heldMaxMs: number
  readonly userAgent: string
}

/** What the loop logs through. */
export interface SenderLogger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The defaults of delivery.md and stack.md 7. */
export const defaultSenderSettings: SenderSettings = {
  slots: 256,
  deadlineMs: 10_000,
  leaseMs: 30_000,
  lanes: 32,
  collectMs: 4,
  pollMs: 200,
  takeoverMs: 1_000,
  stuckMs: 300_000,
  holdMs: 30_000,
  restMs: 5_000,
  hostRestMs: 1_000,
  hosts: { requestsPerSecond: 500, sockets: 256, isExempt: isLoopbackHost },
  heldMaxMs: 3_600_000,
  userAgent: 'Workspace-Data-Service-Webhooks/1.0',
}

/** Time between the deadline of an attempt and the end of its lease in which its result must be written. */
export const leaseMarginMs = 2_000

/** What is wrong with the settings, in words; empty when they can be used (security.md 7). */
export function senderFaults(settings: SenderSettings): string[] {
  const faults: string[] = []
  if (settings.leaseMs <= settings.deadlineMs + leaseMarginMs) {
    faults.push(
      `the lease (${settings.leaseMs} ms) must be longer than the deadline (${settings.deadlineMs} ms) and ${leaseMarginMs} ms`,
    )
  }
  if (!Number.isInteger(settings.slots) || settings.slots < 1) faults.push('the number of slots must be at least 1')
  if (settings.deadlineMs < 1) faults.push('the deadline must be at least 1 ms')
  return faults
}
