// What no test bears of reliability.md 4 and 5, or not in full, each with its reason. Whoever builds it removes its line: a row that is
// borne and stands here as open is refused, and so is one that is neither.

/** Faults that no test makes. */
export const openFaults: Record<string, string> = {
  F40: 'by hand: `npm run bench -- --only backlog`',
}

/** What the tests of a fault leave out. */
export const faultsInPart: Record<string, string> = {
  F01: 'with keys it is killed once; 20 times amid postbacks; the time of its start is not judged',
  F02: 'p99 of the outbox lag is not judged; the catalog is killed once',
  F04: 'log on Kafka alone',
  F07: 'once',
  F11: 'no budget of disk',
  F13: 'two or three members instead of four, not for minutes',
  F14: 'the tables of delivery; no firings and no ledger',
  F15: 'under load in `many-faults` alone, of five kinds; the lag of others as that of three changes behind them, half of them within 5 s',
  F20: 'connections that refuse or swallow; the server is killed once, in F01',
  F22: 'of the API alone, log in Postgres',
  F23: 'the lock; no query of 30 s',
  F25: 'log in Postgres; how far queues grow under a foreign snapshot is told, not judged: by all that passes through them, far beyond 3 ×',
  F30: 'memory, sockets and descriptors are not sampled; no answer just before the deadline',
  F31: 'nobody waits for the one that hangs; the p99 of others: `npm run bench -- --only neighbours`',
  F32: 'caps alone; the p99 of others: `npm run bench -- --only first-hang,wide-burst`',
  F36: 'no CNAME loop',
  F37: 'the core, and `delivery.simulation`; no header over a socket',
  F41: 'the live p99: `npm run bench -- --only replay,replay-beside`',
  F42: 'log in Postgres; how late they come is told, not judged',
  F43: 'delays of 1 ms; the real ones in `delivery.simulation`',
  F50: 'not under the load of others',
  F53: 'not 1 million events: `npm run bench -- --only rebuild` has 100,000',
  F54: 'databases of one server; of several ones, whose backups are of different moments, nothing is tested',
  F61: 'a line of the log and the metric tell it; no alert of its own',
  F62: 'uploads of stats, log in Postgres; memory beside the heap is told, not judged',
  F63: 'log in Postgres',
  F64: 'an hour, by hand: `npm run faults:many`; memory, queues and descriptors are held to limits, their slope is not judged',
}

/** Invariants that nothing judges. */
export const openInvariants: Record<string, string> = {}

/** What the judgement of an invariant leaves out. One that no damaged history shows to be judged must stand here. */
export const invariantsInPart: Record<string, string> = {
  I2: 'of changes of integrations; events of other causes are not asked for',
  I5: 'never early; how late: I21',
  I6: 'of replays that are asked for amid faults, none of dead letters: nothing ends dead there',
  I7: 'after success, disabling and deletion, these in `many-faults` alone; not after revocation',
  I10: 'ids of another workspace, of two in `many-faults`; requests carry no marker of their own',
  I12: 'by a fold of the checker for integrations alone; for all else by `check-rows` and `check-projection` of the product',
  I14: 'positions in `many-faults` alone',
  I15: 'of sources; of invoices and the ledger in their simulations',
  I21: 'in `many-faults` alone: of what is due 19 of 20 within 5 s and each within 120 s beside the faults, of five probes at rest half, since others use the machine',
  I22: 'in `many-faults` alone',
  I23: 'what the log has and nobody took in; how many, of one consumer alone',
  I24: 'of changes of integrations',
}
