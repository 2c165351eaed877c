// What becomes of the internal listener's certificate when its files change, and what is told of it: the log, and the metric by which `CertificateEnds` fires.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { metrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { createTestAuthority, type TestCertificate } from '@wds/local-infra/certificates'

// As the preload does: the provider stands before metrics are declared.
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter })
const provider = new MeterProvider({ readers: [reader] })
metrics.setGlobalMeterProvider(provider)
const { openInternalCertificate } = await import('./internal-certificate.ts')
const { createLogger } = await import('@wds/telemetry/logger')
const { createProgress } = await import('@wds/telemetry/progress')

const authority = createTestAuthority()
const folder = mkdtempSync(join(tmpdir(), 'wds-certificate-'))
afterAll(async () => {
  await provider.shutdown()
  authority.remove()
  rmSync(folder, { recursive: true })
})
const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key'), everyMs: 5 }
const place = ({ cert, key }: Partial<TestCertificate>) => {
  if (cert !== undefined) writeFileSync(files.certFile, cert)
  if (key !== undefined) writeFileSync(files.keyFile, key, { mode: 0o600 })
}
const day = 86_400_000

/** The lines of the log, and what writes them. */
function logged() {
  const log: { level: string; msg: string; fault?: string; err?: { message: string } }[] = []
  return {
    log,
    logger: createLogger({ service: 'test', destination: { write: (line) => log.push(JSON.parse(line)) } }),
  }
}

async function told(): Promise<number[]> {
  const { resourceMetrics } = await reader.collect()
  const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)
  return all
    .filter(({ descriptor }) => descriptor.name === 'wds_certificate_end_timestamp_seconds')
    .flatMap(({ dataPoints }) => dataPoints.map(({ value }) => value as number))
}

async function eventually(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('it never held')
    await new Promise((settle) => setTimeout(settle, 5))
  }
}

test('half of a pair is logged once and not served, the whole is, and its end is told from then on', async () => {
  const [first, second] = [authority.issue(['a'], { days: 10 }), authority.issue(['a'], { days: 40 })]
  const { log, logger } = logged()
  const [stopping, progress] = [new AbortController(), createProgress()]
  place(first)
  const opened = openInternalCertificate(files, { signal: stopping.signal, logger, progress })
  expect(opened.first.cert).toBe(first.cert)
  const served: string[] = []
  const ended = opened.follow({ renewCertificate: ({ cert }) => void served.push(cert) })
  const [before] = await told()
  expect(Math.round(((before ?? 0) * 1_000 - Date.now()) / day)).toBe(10)

  place({ cert: second.cert })
  await eventually(() => log.length > 0)
  place({ key: second.key })
  await eventually(() => served.length > 0)
  expect(served).toEqual([second.cert])
  const [after] = await told()
  expect(Math.round(((after ?? 0) * 1_000 - Date.now()) / day)).toBe(40)
  // A renewal is in use before the line that says so.
  await eventually(() => log.length > 1)
  expect(log).toMatchObject([
    {
      level: 'error',
      msg: 'renewed files cannot be used, those before stay',
      files: 'internal certificate',
      err: { message: expect.stringContaining('do not belong together') },
    },
    { level: 'info', msg: 'renewed files are in use', files: 'internal certificate' },
  ])
  stopping.abort()
  await ended
})

test.each([
  ['has expired', { days: -1 }],
  ['is not valid yet', { beginsInDays: 1 }],
])('one that %s serves, since the rest of the service does not stop for it, and the log says so', (fault, o) => {
  const { log, logger } = logged()
  place(authority.issue(['a'], o))
  openInternalCertificate(files, { signal: AbortSignal.abort(), logger, progress: createProgress() })
  const msg = 'certificate of the internal listener cannot be used: nobody can ask'
  expect(log).toMatchObject([{ level: 'error', msg, fault: expect.stringContaining(fault) }])
})

test.each([
  ['has expired', { days: -1 }],
  ['is not valid yet', { beginsInDays: 1 }],
])(
  'regression: a renewed pair that %s leaves in use the one that callers take, and the log says why',
  async (fault, o) => {
    const { log, logger } = logged()
    const [stopping, good] = [new AbortController(), authority.issue(['a'], { days: 20 })]
    place(good)
    const opened = openInternalCertificate(files, { signal: stopping.signal, logger, progress: createProgress() })
    const served: string[] = []
    const ended = opened.follow({ renewCertificate: ({ cert }) => void served.push(cert) })
    place(authority.issue(['a'], o))
    const why = () => log.some(({ err }) => err?.message.includes(`WDS_INTERNAL_TLS_CERT_FILE ${fault}`))
    await eventually(() => why() || served.length > 0)
    expect(served).toEqual([])
    // The alert goes by the end of the pair that serves.
    const [end] = await told()
    expect(Math.round(((end ?? 0) * 1_000 - Date.now()) / day)).toBe(20)

    const next = authority.issue(['a'], { days: 40 })
    place(next)
    await eventually(() => served.length > 0)
    expect(served).toEqual([next.cert])
    stopping.abort()
    await ended
  },
)

test('a renewed pair takes the place of one that has expired, whatever it is itself', async () => {
  const { logger } = logged()
  const stopping = new AbortController()
  place(authority.issue(['a'], { days: -1 }))
  const opened = openInternalCertificate(files, { signal: stopping.signal, logger, progress: createProgress() })
  const served: string[] = []
  const ended = opened.follow({ renewCertificate: ({ cert }) => void served.push(cert) })
  const next = authority.issue(['a'], { beginsInDays: 1 })
  place(next)
  await eventually(() => served.length > 0)
  expect(served).toEqual([next.cert])
  stopping.abort()
  await ended
})
