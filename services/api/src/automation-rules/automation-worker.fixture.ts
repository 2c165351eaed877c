// For tests: a process that carries out what rules have due, as the worker does, to be killed. Its argument is the database's address. It
// never stands in a running service.
import { createPool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { readReferenceRates } from '../fx/reference-rates.ts'
import { automateOnce } from './automation-loop.ts'

const pool = createPool({ connectionString: process.argv[2] ?? '', applicationName: 'automation-worker', max: 2 })
const logger = createLogger({ service: 'automation-worker', level: 'error' })
const turns = { ticks: { last: '' }, evaluations: { last: '' } }
const wake = { raise: () => undefined }
while (await automateOnce({ pool, logger, referenceRates: readReferenceRates(), attemptsMax: 4, wake, turns }));
await pool.end()
