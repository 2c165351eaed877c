import { WakeSignal } from '@wds/pacing/wait'

/** Wakes the relay of this process: raised after each commit that put rows into the outbox. A lost one costs the relay's poll. */
export const outboxSignal = new WakeSignal()
