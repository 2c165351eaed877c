// SQL of the tables access_denials and access_signing_keys. Every statement may run again without another effect.

import type { Queryable } from '@wds/postgres/pool'
import type { SigningJwk } from './auth-events.ts'
import type { NewDenial } from './denial-events.ts'

/** Narrows what is there already, whatever the order; a later lift lets pass again, an earlier one does not (primary key). */
export async function putDenial(tx: Queryable, denial: NewDenial): Promise<void> {
  await tx.query(
    `insert into access_denials as d (kind, id, lifted, rev_min, issued_before, scopes, changed_by, ends_at)
     select $1, $2, $3, $4, $5, $6, $7, $8 where $8::timestamptz > app_now()
     on conflict (kind, id) do update set
       lifted = case when excluded.changed_by > d.changed_by then excluded.lifted else d.lifted end,
       rev_min = greatest(d.rev_min, excluded.rev_min),
       issued_before = greatest(d.issued_before, excluded.issued_before),
       scopes = case when d.scopes is not null
         then array(select unnest(d.scopes) intersect select unnest(excluded.scopes)) end,
       changed_by = greatest(d.changed_by, excluded.changed_by),
       ends_at = greatest(d.ends_at, excluded.ends_at),
       seq = nextval('access_seq')`,
    [
      ...[denial.kind, denial.id, denial.lifted, denial.revMin, denial.left?.issuedBefore ?? null],
      ...[denial.left?.scopes ?? null, denial.eventId, denial.ends],
    ],
  )
}

/** A key that is there stays as it is, retired ones too (primary key); one that is told of behind its end never lives (primary key of access_ends). */
export async function putSigningKey(tx: Queryable, jwk: SigningJwk): Promise<void> {
  await tx.query(
    `insert into access_signing_keys (kid, jwk) select $1, $2 where not exists (select from access_ends where id = $1)
     on conflict (kid) do nothing`,
    [jwk.kid, JSON.stringify(jwk)],
  )
}

/** For good, also one that is not known yet (primary key). */
export async function retireSigningKey(tx: Queryable, kid: string): Promise<void> {
  await tx.query(
    `with ended as (insert into access_ends (id) values ($1) on conflict do nothing)
     update access_signing_keys set retired_at = app_now(), seq = nextval('access_seq')
     where kid = $1 and retired_at is null`,
    [kid],
  )
}
