// Which indexes of a migration are refused: those that would hold up the writes to a table which is there already.
import { expect, test } from '@jest/globals'
import { lateIndexesOf } from './late-indexes.ts'

test.each<[string, string[]]>([
  ['create index a on old_table (x);', ['a']],
  ['create unique index a on only schema.old_table (x);', ['a']],
  ['CREATE INDEX\n  ON old_table (x);', ['(without a name)']],
  ['create table new_table (x int);\ncreate index a on new_table (x);\ncreate index b on old_table (x);', ['b']],
  ['-- create table old_table\ncreate index a on old_table (x);', ['a']],
  ['create table if not exists new_table (x int); create index a on new_table (x);', []],
  ['create index if not exists a on old_table (x);', []],
  ['-- create index a on old_table (x);', []],
])('of %j it finds %j', (migration, found) => {
  expect(lateIndexesOf(migration)).toEqual(found)
})
