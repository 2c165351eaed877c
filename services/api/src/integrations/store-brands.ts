// Reads and writes brands: the workspace's own directory (domain.md 3.1). They have no events.
import type { Transaction } from '@wds/postgres/transaction'

export interface Brand {
  slug: string
  name: string
  vertical: string
  default_currency: string | null
}

/** The brand, or null. The primary key serves it. */
export async function findBrand(tx: Transaction, workspaceId: string, slug: string): Promise<Brand | null> {
  const { rows } = await tx.query<{ slug: string; name: string; vertical: string; default_currency: string | null }>(
    'select slug, name, vertical, default_currency from brands where workspace_id = $1 and slug = $2',
    [workspaceId, slug],
  )
  return rows[0] ?? null
}

/** Adds a brand; one that exists stays as it is. */
export async function insertBrand(tx: Transaction, workspaceId: string, brand: Brand): Promise<void> {
  await tx.query(
    `insert into brands (workspace_id, slug, name, vertical, default_currency) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [workspaceId, brand.slug, brand.name, brand.vertical, brand.default_currency],
  )
}
