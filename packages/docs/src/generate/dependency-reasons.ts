// Why each direct dependency of the images is there, and who keeps it. What `dependencies-page.ts` reads from the packages is not said here.

export interface Reason {
  /** What we would have to write, or go without. */
  why: string
  /** Who keeps it, as far as the installed package tells: its `package.json`, README, LICENSE, CHANGELOG. And what we do where that is nobody. */
  keeper: string
}

const telemetryKeeper = 'The OpenTelemetry authors, in the repositories of `open-telemetry`'
const telemetry = (why: string): Reason => ({ why, keeper: telemetryKeeper })
const panva = 'Its author, Filip Skokan, who also keeps'
const tanstack = 'The project TanStack; its author, Tanner Linsley, asks for sponsors'
const mantineKeeper = 'Its author, Vitaly Rtishchev, in the repository of `mantinedev`'
const ajvKeeper =
  'Its author, Evgeny Poberezkin, with sponsors; the README counts more than a hundred who contributed to `ajv`'
const reactKeeper = 'The repository `react/react`; the copyright is that of Meta Platforms and affiliates'

/** By name. One of a package that is not in the images, or one in them without a reason, fails `npm run generate`. */
export const reasons: Readonly<Record<string, Reason>> = {
  '@fastify/busboy': {
    why: 'Splits a form with a file into its parts; the body is in memory by then, within the limit of its route',
    keeper: 'The organisation fastify, as a fork of what Brian White wrote',
  },
  '@mantine/core': {
    why: 'Components of the console that keyboards and screen readers can use',
    keeper: mantineKeeper,
  },
  '@mantine/hooks': {
    why: 'Needed by `@mantine/core`; of it we use one hook, which tells the size of a chart',
    keeper: mantineKeeper,
  },
  '@opentelemetry/api': telemetry('What spans and metrics are recorded by; without an SDK it does nothing'),
  '@opentelemetry/auto-instrumentations-node': telemetry(
    'Spans of HTTP, Postgres and Express without a line in the services; it brings the most others by far, and is loaded where traces are switched on',
  ),
  '@opentelemetry/core': telemetry(
    'Carries the trace in `traceparent`; reads numbers of the environment as the SDK does',
  ),
  '@opentelemetry/exporter-metrics-otlp-http': telemetry('Sends metrics by OTLP in JSON'),
  '@opentelemetry/exporter-metrics-otlp-proto': telemetry('Sends metrics by OTLP in protobuf'),
  '@opentelemetry/exporter-prometheus': telemetry(
    'Writes metrics as text for Prometheus: its serialiser, not its server',
  ),
  '@opentelemetry/exporter-trace-otlp-http': telemetry('Sends spans by OTLP in JSON'),
  '@opentelemetry/exporter-trace-otlp-proto': telemetry('Sends spans by OTLP in protobuf'),
  '@opentelemetry/instrumentation': telemetry('Registers the instrumentations that are switched on'),
  '@opentelemetry/instrumentation-express': telemetry('Names the layers of Express that get no span'),
  '@opentelemetry/resources': telemetry('Says which service and process a span or metric is of'),
  '@opentelemetry/sdk-metrics': telemetry('Keeps the metrics of a process until they are sent or asked for'),
  '@opentelemetry/sdk-node': telemetry('Starts traces and metrics by the usual variables of the environment'),
  '@opentelemetry/sdk-trace': telemetry('Samples spans and hands them to the exporters'),
  '@tabler/icons-react': {
    why: 'Icons of the console, each imported by its file',
    keeper: 'Its author, Paweł Kuna (`codecalm`), who asks for sponsors',
  },
  '@tanstack/react-query': {
    why: 'What the console has read is kept, read again and shown as stale',
    keeper: tanstack,
  },
  '@tanstack/react-router': {
    why: 'Pages of the console by their address, links, and filters that stand in it; we check these ourselves',
    keeper: tanstack,
  },
  '@zxcvbn-ts/language-common': {
    why: 'A list of the passwords that are guessed first; of it one file of data is read, no program',
    keeper: 'The project zxcvbn-ts; it names no person',
  },
  ajv: {
    why: 'What callers send, in bodies, paths and queries, is held to the OpenAPI documents by JSON Schema; answers are, in tests',
    keeper: ajvKeeper,
  },
  'ajv-formats': { why: 'Formats of JSON Schema for `ajv`', keeper: ajvKeeper },
  'dejavu-fonts-ttf': {
    why: 'Letters of invoices beyond Latin, which the fonts built into PDF lack; two of its files are read',
    keeper:
      'Packed in the repository of one person (`senotrusov`); the fonts are by those of its AUTHORS. It does not tell whether anybody works on them: they are done, and kept at this version',
  },
  express: {
    why: 'Routes and what runs before them, inside of `http-service` alone',
    keeper: 'A technical committee of eight, in its README, with a policy for security reports',
  },
  'get-nonce': {
    why: "Hands the nonce of the page's Content-Security-Policy to the scroll lock of Mantine's dialogs, which reads it from here",
    keeper: 'Its author, Anton Korzunov; one version, of 2020: a dozen lines that are done',
  },
  helmet: {
    why: 'Headers that browsers are protected by, with values that others review',
    keeper: 'Evan Hahn, who takes the security reports; written with Adam Baldwin since 2012',
  },
  'import-in-the-middle': {
    why: "Lets OpenTelemetry's instrumentations change modules of ES as they are loaded",
    keeper: 'Collaborators at the organisation of Node.js; a change needs two of them',
  },
  jose: {
    why: 'Signs and verifies tokens; cryptography that nobody should write for themselves',
    keeper: `${panva} \`oidc-provider\` and \`openid-client\`; Auth0 sponsors it`,
  },
  'js-yaml': {
    why: "Reads the services' own OpenAPI documents; nothing that users send",
    keeper: 'Vitaly Puzrin (`nodeca`) and three others whom it names, since 2011; asks for sponsors',
  },
  kafkajs: {
    why: 'The client of Kafka that the specification names (decision 29 of it); no native library',
    keeper:
      'Its author, Tulio Ornelas, asks for sponsors; this version is of February 2023. Its faults that we met are mended from outside in `packages/event-log/src/kafkajs-mends.ts`, with tests; the port of `event-log` is what another client would have to meet',
  },
  knex: {
    why: 'Runs the migrations; the specification names it (decision 30 of it). No query of a service is made with it',
    keeper:
      'Its author, Tim Griesser, and six others whom it names; ten versions from March to June 2026, none in the two years before',
  },
  'oidc-provider': {
    why: 'The OAuth 2.0 and OpenID engine of auth; a protocol with many ways to be wrong',
    keeper: `${panva} \`jose\` and \`openid-client\`; he certified it for profiles of OpenID Connect, and Auth0 sponsors it`,
  },
  'openid-client': {
    why: 'Sign-in by upstream OpenID issuers; the other side of the same protocol',
    keeper: `${panva} \`jose\` and \`oidc-provider\`; he certified it for profiles of OpenID Connect, and Auth0 sponsors it`,
  },
  pdfkit: {
    why: 'Invoices as PDF',
    keeper: 'The organisation foliojs, first by Devon Govett; three versions in August 2026. It names nobody else',
  },
  pg: {
    why: 'The client of Postgres, in JavaScript alone',
    keeper: 'Its author, Brian Carlson, sponsored, since 2010',
  },
  'pg-protocol': {
    why: 'Writes messages of Postgres, so that several statements go in one; `pg` brings it anyway',
    keeper: 'The repository of `pg`',
  },
  pino: {
    why: 'Lines of the log as JSON, at little cost; secrets are taken out before, by us',
    keeper: 'A team of four, in its README, of whom Matteo Collina is the author; Platformatic sponsors it',
  },
  react: { why: 'What the pages of the console are made with', keeper: reactKeeper },
  'react-dom': { why: 'Puts what `react` makes into the page', keeper: reactKeeper },
  sharp: {
    why: 'Logos that users upload are decoded, made smaller and encoded anew: no byte of theirs is handed out. The one native library',
    keeper: 'Its author, Lovell Fuller, with donations for `libvips`, which it brings in binaries of its own',
  },
  undici: {
    why: 'Calls to addresses of users: its connections can be guarded address by address, which the built-in fetch does not offer',
    keeper: 'The organisation of Node.js: nine collaborators, in its README, four of whom release',
  },
}
