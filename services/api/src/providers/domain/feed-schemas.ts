// JSON Schemas of what a feed takes (domain.md 4.2): settings of `http_csv` and `http_json`, and their credentials. Both forms and the judgement
// of what was sent are made from them.
import { authKinds, encodings, type FeedProvider, paginationKinds } from '../../sources/domain/feed-settings.ts'
import { dateParamFormats } from '../../sources/domain/feed-url.ts'
import { combineModes } from '../../stats/domain/combine-rows.ts'
import type { JsonSchema } from './json-schema.ts'
import { mappingSchema } from './mapping-schema.ts'

const $schema = 'https://json-schema.org/draft/2020-12/schema'
const pointer = { type: 'string', maxLength: 500 }
const printable = { pattern: '^[\\x20-\\x7e]*$' }

const csv: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'How the file is written.',
  properties: {
    delimiter: { enum: [',', ';', '\t', '|'], default: ',' },
    quote: { enum: ['"', "'", null], default: '"', description: 'null: nothing quotes.' },
    encoding: { enum: encodings, default: 'utf-8' },
    header: {
      type: 'boolean',
      default: true,
      description: 'Without a header line columns are named 1, 2, 3 and so on.',
    },
    decimal_comma: { type: 'boolean', default: false, description: 'Numbers are written 1234,56.' },
  },
}

const common = {
  url: {
    type: 'string',
    minLength: 1,
    maxLength: 2048,
    description: 'Address of the feed. {from} and {to} in path or query stand for the days asked for.',
  },
  date_param_format: { enum: dateParamFormats, default: 'YYYY-MM-DD', description: 'How {from} and {to} are written.' },
  auth: {
    enum: authKinds,
    default: 'none',
    description: 'How we say who we are; what is secret goes into the credentials.',
  },
  headers: {
    type: 'object',
    maxProperties: 10,
    propertyNames: { minLength: 1, maxLength: 100 },
    additionalProperties: { type: 'string', maxLength: 1000, ...printable },
    description: 'Sent with each request; not secret.',
  },
}

const rows = {
  only: {
    type: 'array',
    maxItems: 5,
    description: 'Keeps rows whose cell is this text: a feed may hold several brands.',
    items: {
      type: 'object',
      required: ['from', 'equals'],
      additionalProperties: false,
      properties: {
        from: { type: 'string', minLength: 1, maxLength: 255 },
        equals: { type: 'string', maxLength: 255 },
      },
    },
  },
  mapping: mappingSchema,
  combine: { enum: combineModes, default: 'sum', description: 'What happens to rows with one key in one pull.' },
}

const httpCsvSettings: JsonSchema = {
  $schema,
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    ...common,
    pagination: {
      enum: paginationKinds.filter((kind) => kind !== 'json_pointer'),
      default: 'none',
      description: 'Where the link to the next page stands: in the Link header.',
    },
    csv,
    ...rows,
  },
}

const httpJsonSettings: JsonSchema = {
  $schema,
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    ...common,
    pagination: {
      enum: paginationKinds,
      default: 'none',
      description: 'Where the link to the next page stands: in the Link header, or in the document.',
    },
    next_pointer: { ...pointer, description: 'JSON pointer to the link, with pagination json_pointer.' },
    rows_pointer: {
      ...pointer,
      default: '',
      description: 'JSON pointer to the array of rows; empty: the document itself.',
    },
    ...rows,
  },
}

/** Settings of each pull; `sources/feed-records.ts` reads its answers. */
export const feedSettings: Readonly<Record<FeedProvider, JsonSchema>> = {
  http_csv: httpCsvSettings,
  http_json: httpJsonSettings,
}

const secret = { type: 'string', minLength: 1, maxLength: 2048, writeOnly: true, ...printable }

export const feedCredentials: JsonSchema = {
  $schema,
  type: 'object',
  additionalProperties: false,
  description: 'Those that the setting auth needs.',
  properties: {
    token: { ...secret, description: 'For auth bearer.' },
    username: { ...secret, maxLength: 255, description: 'For auth basic.' },
    password: { ...secret, description: 'For auth basic.' },
    name: { type: 'string', minLength: 1, maxLength: 100, description: 'Name of the header, for auth header.' },
    value: { ...secret, description: 'Value of the header, for auth header.' },
    expires: {
      type: 'string',
      format: 'date-time',
      description: 'When they end at the source; you are told 7 days before.',
    },
  },
}
