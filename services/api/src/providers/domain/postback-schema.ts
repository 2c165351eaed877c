// JSON Schema of the settings of `postback` (domain.md 4.3). What was sent is judged by it.
import { postbackParameters } from '@wds/contracts/postback-parameters'
import { postbackEvents } from '../../sources/domain/postback-settings.ts'
import type { JsonSchema } from './json-schema.ts'

const name = { type: 'string', minLength: 1, maxLength: 100 }

export const postbackSettings: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  properties: {
    parameter_map: {
      type: 'object',
      description: 'The name under which the network sends a parameter; those that are left out come under their own.',
      additionalProperties: false,
      properties: Object.fromEntries(postbackParameters.map((parameter) => [parameter, name])),
    },
    event_map: {
      type: 'object',
      maxProperties: 100,
      description: "The network's words for events.",
      propertyNames: { minLength: 1, maxLength: 100 },
      additionalProperties: { enum: postbackEvents },
    },
    allowed_cidrs: {
      type: 'array',
      maxItems: 50,
      description: 'Addresses and ranges that may send; none: everybody.',
      items: { type: 'string', minLength: 2, maxLength: 50 },
    },
  },
}
