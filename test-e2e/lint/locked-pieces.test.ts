// Which subqueries that lock a piece are refused: the shape by which claims took more than their limit, twice.
import { expect, test } from '@jest/globals'
import { linesOfPieces } from './locked-pieces.ts'

const take = 'select id from work where due < $1 and (a or b) order by due limit $2 for update skip locked'

test.each<[string, string]>([
  ['in (…)', `delete from work where id in (\n  ${take})`],
  ['from (…)', `update work w set taken = true\n from (${take}) t where t.id = w.id`],
  ['a common table expression', `with taken as (\n${take})\nselect from taken`],
  ['one that is not materialised', `with taken as not materialized (\n${take})\nselect from taken`],
  [
    'a look with `limit` behind the lock',
    'select from a join\n (select id from b for no key update skip locked limit 1) c',
  ],
  ['TypeScript', `db.query(\n  \`delete from work where id in (select id from work limit $1 for update)\`)`],
  ['`fetch first`', 'delete from work where id in (\nselect id from work fetch first 5 rows only for update)'],
  ['a statement that has a name', `const sql = \`${take}\`\nquery(\`delete from work where id in (\${sql})\`)`],
  ['TypeScript with pieces', `query({\n text: \`delete from work where \${isReady('d')} and id in (${take})\` })`],
])('%s is refused', (_, text) => {
  expect(linesOfPieces(text)).toEqual([2])
})

test.each<[string, string]>([
  [
    'as materialized (…)',
    `with taken as materialized (${take}) update work w set n = 1 from taken t where t.id = w.id`,
  ],
  ['array(…)', `delete from work where ctid = any(array(${take}))`],
  ['= (…)', `update work set n = 1 where id = (${take})`],
  ['a statement of its own', take],
  [
    'one that has a name',
    `const sql = '${take}'\nquery(sql); query(\`with t as materialized (\${sql}) select \${sql}\`)`,
  ],
  ['a statement of its own in TypeScript', `tx.query('${take}', [1])`],
  ['a statement of its own beside other arguments', `deleteInBatches(\n  db,\n  \`${take}\`,\n)`],
  ['no limit', 'select array_agg(id) from (select id from work order by id for update skip locked) w'],
  [
    'a limit within',
    'select from (select id from work where a = (select a from b limit 1) for update) w join c using (id)',
  ],
  ['a comment', '-- where id in (select id limit 1 for update)\nselect 1'],
])('%s is taken', (_, text) => {
  expect(linesOfPieces(text)).toEqual([])
})
