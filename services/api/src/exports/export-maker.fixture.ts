// For tests: a process that makes exports as the worker does, to be killed. Its argument is the database's address. It never stands in a
// running service.
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { readReferenceRates } from '../fx/reference-rates.ts'
import { exportOnce } from './export-loop.ts'

const pool = createPool({ connectionString: process.argv[2] ?? '', applicationName: 'export-maker', max: 2 })
const logger = createLogger({ service: 'export-maker', level: 'error' })
const { signal } = new AbortController()
const maker = { pool, logger, referenceRates: readReferenceRates(), leaseMs: 60_000, signal }
for (;;) if (!(await exportOnce(maker))) await sleep(10)
