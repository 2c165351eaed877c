// Why each direct dependency of the images is there, and who keeps it. What can be read from the packages themselves is not said here.

export interface Reason {
  /** What we would have to write, or go without. */
  why: string
  /** Who keeps it, as known when it was chosen; and what we do where that is nobody. */
  keeper: string
}

const telemetry: Reason = {
  why: 'Part of OpenTelemetry: traces and metrics in the form that every collector takes',
  keeper: 'Its project at the CNCF, many companies; versions of one release are taken together',
}
const mantine: Reason = {
  why: 'Components of the console that keyboards and screen readers can use',
  keeper: 'Its author with a team; releases each month',
}
const react: Reason = {
  why: 'What the pages of the console are made with',
  keeper: 'Its foundation, full-time teams of several companies',
}

/** By name. One of a package that is not in the images, or one in them without a reason, fails `npm run generate`. */
export const reasons: Readonly<Record<string, Reason>> = {
  '@fastify/busboy': {
    why: 'Forms with files are read as a stream, within limits, and never whole in memory',
    keeper: 'The team of fastify, which took it over from its author',
  },
  '@mantine/core': mantine,
  '@mantine/hooks': mantine,
  '@opentelemetry/api': telemetry,
  '@opentelemetry/auto-instrumentations-node': {
    ...telemetry,
    why: 'Spans of HTTP, Postgres and Express without a line in the services; the heaviest dependency by far, loaded where telemetry is switched on',
  },
  '@opentelemetry/core': telemetry,
  '@opentelemetry/exporter-metrics-otlp-http': telemetry,
  '@opentelemetry/exporter-metrics-otlp-proto': telemetry,
  '@opentelemetry/exporter-prometheus': telemetry,
  '@opentelemetry/exporter-trace-otlp-http': telemetry,
  '@opentelemetry/exporter-trace-otlp-proto': telemetry,
  '@opentelemetry/instrumentation': telemetry,
  '@opentelemetry/instrumentation-express': telemetry,
  '@opentelemetry/resources': telemetry,
  '@opentelemetry/sdk-metrics': telemetry,
  '@opentelemetry/sdk-node': telemetry,
  '@opentelemetry/sdk-trace': telemetry,
  '@tabler/icons-react': { why: 'Icons of the console', keeper: 'Its author with a team; releases each month' },
  '@tanstack/react-query': {
    why: 'What the console has read is kept, read again and shown as stale',
    keeper: 'TanStack, several paid maintainers',
  },
  '@tanstack/react-router': {
    why: 'Addresses of the console, with filters that are checked as they are read',
    keeper: 'TanStack, several paid maintainers',
  },
  '@zxcvbn-ts/language-common': {
    why: 'A list of the passwords that are guessed first; of it one file of data is read, no program',
    keeper: 'Its author; a list that does not change breaks nothing',
  },
  ajv: {
    why: 'Bodies and answers are held to the OpenAPI documents by JSON Schema',
    keeper: 'Its author with helpers; the usual validator of the field',
  },
  'ajv-formats': { why: 'Formats of JSON Schema for `ajv`', keeper: 'The team of `ajv`' },
  'dejavu-fonts-ttf': {
    why: 'Letters of invoices beyond Latin, which the fonts built into PDF lack',
    keeper: 'Nobody any more: fonts that are done, kept at this version',
  },
  express: {
    why: 'Routes and what runs before them, inside of `http-service` alone',
    keeper: 'The OpenJS Foundation, with a security team',
  },
  'get-nonce': {
    why: "Hands the nonce of the page's Content-Security-Policy to the dialogs of Mantine, which read it from here",
    keeper: 'Hardly: 30 lines that are done. It goes when Mantine takes a nonce of its own',
  },
  helmet: {
    why: 'Headers that browsers are protected by, with values that others review',
    keeper: 'Two authors, since 2012',
  },
  'import-in-the-middle': {
    why: "Lets OpenTelemetry's instrumentations see modules of ES, before the first is loaded",
    keeper: 'Its project at OpenTelemetry',
  },
  jose: {
    why: 'Signs and verifies tokens; cryptography that nobody should write for themselves',
    keeper: 'Its author, who also keeps `oidc-provider` and `openid-client`',
  },
  'js-yaml': {
    why: "Reads the services' own OpenAPI documents; nothing that users send",
    keeper: 'Its authors, since 2011',
  },
  kafkajs: {
    why: 'The client of Kafka that the specification names (decision 29 of it); no native library',
    keeper:
      'Seldom: no stable release since 2023. Its faults that we met are mended from outside in `packages/event-log/src/kafkajs-mends.ts`, each with a test; the port of `event-log` is what another client would have to meet',
  },
  knex: {
    why: 'Runs the migrations; the specification names it (decision 30 of it). No query of a service is made with it',
    keeper: 'Volunteers; releases each year',
  },
  'oidc-provider': {
    why: 'The OAuth 2.1 and OpenID engine of auth; a protocol with many ways to be wrong',
    keeper: 'Its author, full-time on such libraries; certified by the OpenID Foundation',
  },
  'openid-client': {
    why: 'Sign-in by upstream OpenID issuers; the other side of the same protocol',
    keeper: 'The author of `oidc-provider`; certified by the OpenID Foundation',
  },
  pdfkit: { why: 'Invoices as PDF', keeper: 'Volunteers around its first authors; releases each year' },
  pg: { why: 'The client of Postgres, in JavaScript alone', keeper: 'Its author, sponsored, since 2010' },
  'pg-protocol': {
    why: 'Messages of Postgres, so that several statements go in one; `pg` brings it anyway',
    keeper: 'The author of pg, in the same repository',
  },
  pino: {
    why: 'Lines of the log as JSON, with redaction, at little cost',
    keeper: 'A team, several of them of Node.js',
  },
  react,
  'react-dom': react,
  sharp: {
    why: 'Logos that users upload are decoded, made smaller and encoded anew: no byte of theirs is handed out. The one native library',
    keeper: 'Its author, sponsored; brings `libvips` in binaries of its own',
  },
  undici: {
    why: 'Calls to addresses of users: its connections can be guarded address by address, which the built-in fetch does not offer',
    keeper: 'The project Node.js itself',
  },
}
