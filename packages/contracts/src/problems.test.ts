// Proves that the catalogue of problems is the table of api-conventions.md 3 and domain.md 2, and says nothing that it must not.
import { describe, expect, test } from '@jest/globals'
import { isProblemCode, problems } from './problems.ts'

const table: Record<number, string> = {
  400: `malformed_json unknown_parameter duplicate_parameter invalid_parameter limit_out_of_range invalid_cursor
    invalid_idempotency_key idempotency_key_required invalid_request metric_not_additive time_zone_not_supported`,
  401: 'unauthenticated invalid_token',
  403: 'insufficient_scope role_not_allowed plan_required csrf_failed recent_sign_in_required session_required',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: `invalid_state idempotency_in_progress limit_reached already_exists sync_already_running stats_exist period_not_final
    invoice_has_payments balance_not_zero webhook_disabled event_expired replay_already_running`,
  412: 'precondition_failed',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  422: `validation_failed unknown_field invalid_character out_of_range required invalid_type invalid_format invalid_value
    idempotency_key_reused brand_exists
    provider_not_available unknown_currency unknown_time_zone amount_overflow rate_missing result_too_large overpayment
    below_minimum insufficient_balance period_closed period_too_old nothing_matched subject_not_supported sync_not_supported no_postbacks unknown_column
    unknown_event_type invalid_filter header_not_allowed url_not_allowed`,
  428: 'precondition_required',
  429: 'quota_exceeded',
  431: 'headers_too_large',
  500: 'internal_error',
  503: 'unavailable query_timeout',
}

describe('the catalogue of problems', () => {
  test('C13: has the statuses and codes of the table, all of them and no others', () => {
    const wanted = Object.entries(table).flatMap(([status, codes]) =>
      codes.split(/\s+/).map((code) => [code, Number(status)]),
    )
    const present = Object.values(problems).map(({ code, status }) => [code, status])
    expect(present.sort()).toEqual(wanted.sort())
  })

  test('each entry stands under its own code and says what to do', () => {
    for (const [code, problem] of Object.entries(problems)) {
      expect(problem.code).toBe(code)
      expect(problem.title).toMatch(/^[A-Z].*[^.]$/)
      expect(problem.detail).toMatch(/^[A-Z].*\.$/)
      expect(problem.howToFix).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('C12: no text names SQL, a stack, a path or a library', () => {
    const said = Object.values(problems).map(({ title, detail, howToFix }) => `${title} ${detail} ${howToFix}`)
    expect(said.join('\n')).not.toMatch(
      /postgres|sql|select |stack|node|ajv|express|kafka|\.ts\b|\/(usr|home|var|work)\//i,
    )
  })

  test('C60: a used-up quota has the registered type, no other problem has one', () => {
    const registered = Object.values(problems).filter(({ registeredType }) => registeredType !== undefined)
    expect(registered.map(({ code }) => code)).toEqual(['quota_exceeded'])
  })

  test('a name of the prototype is not a code', () => {
    expect(isProblemCode('constructor')).toBe(false)
    expect(isProblemCode('not_found')).toBe(true)
  })
})
