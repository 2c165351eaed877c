// For tests: a process that opens bulk replays as the worker does, to be killed. Its argument is the database's address. It never stands in a running service.
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from '@wds/postgres/pool'
import { createReplayTurn } from './loop.ts'

const pool = createPool({ connectionString: process.argv[2] ?? '', applicationName: 'replay-worker', max: 1 })
const turn = createReplayTurn({ pool, onDue: () => undefined })
for (;;) if (!(await turn())) await sleep(10)
