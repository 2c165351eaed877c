// Which statements may run in a transaction that others share.
import { expect, test } from '@jest/globals'
import { readsOnly } from './reads-only.ts'

test.each([
  [true, 'select id, version from notes where id = $1'],
  [true, '  SELECT floor(extract(epoch from app_now()) * 1000)::text as ms'],
  [true, 'select 1 from notes where id = any($1) and exists (select from others) order by id'],
  [true, 'select id from notes\n for no key update skip locked'],
  [true, 'select id from notes for update  skip locked'],
  [false, 'select id from notes for update'],
  [false, 'select id from notes for no key update nowait'],
  [false, 'select id from notes For\nShare'],
  [false, 'select id from a for update of a skip locked for update of b'],
  [false, 'insert into notes values (1)'],
  [false, 'with x as (delete from notes returning 1) select * from x'],
  [false, 'select 1 into other from notes'],
  [false, 'select 1; delete from notes'],
  [false, 'select append_event($1)'],
  [false, 'select api.append_event ($1)'],
  [false, "select nextval('some')"],
  [false, 'select "nextval"(1)'],
  [false, "select set_config('app.workspace_id', $1, true)"],
  [false, 'select pg_advisory_xact_lock(1)'],
  [false, 'select id from notes for/**/update'],
  [false, 'select id from notes -- (\nfor update'],
  [false, 'select nextvä(1)'],
  [false, 'commit'],
  [false, ''],
])('%s: %s', (expected, text) => {
  expect(readsOnly(text)).toBe(expected)
  // The second time by heart.
  expect(readsOnly(text)).toBe(expected)
})
