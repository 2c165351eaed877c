// Keeps what was last announced of each event type, as a digest. It must never forget a type: names are frozen.
import type { Queryable } from '@wds/postgres/pool'

/** Digest of what an announcement says: `sha256:<hex>`. */
export interface TypeDigest {
  type: string
  digest: string
}

/**
 * Writes the digests that differ from the stored ones and returns their types. Two processes that announce at once wait
 * for each other's rows, in the same order; the second then finds nothing to do. The primary key serves it.
 */
export async function takeChangedTypes(tx: Queryable, digests: readonly TypeDigest[]): Promise<string[]> {
  const { rows } = await tx.query<{ type: string }>({
    name: 'announced-types-take',
    text: `insert into announced_types as a (type, digest)
      select u.type, u.digest from unnest($1::text[], $2::text[]) as u(type, digest) order by u.type collate "C"
      on conflict (type) do update set digest = excluded.digest, announced = app_now()
        where a.digest <> excluded.digest
      returning a.type`,
    values: [digests.map(({ type }) => type), digests.map(({ digest }) => digest)],
  })
  return rows.map(({ type }) => type)
}
