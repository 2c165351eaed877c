// Reads and writes brands: the workspace's own directory (domain.md 3.1). They have no events.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { Party } from '../parties/domain/party.ts'

export interface BrandFields {
  name: string
  vertical: string
  default_currency: string | null
  /** Its company; null where it is not known. */
  legal: Party | null
}

export interface Brand extends BrandFields {
  slug: string
}

/** The brand, or null. The primary key serves it. */
export async function findBrand(tx: Transaction, workspaceId: string, slug: string): Promise<Brand | null> {
  const { rows } = await tx.query<Brand & Record<string, unknown>>(
    'select slug, name, vertical, default_currency, legal from brands where workspace_id = $1 and slug = $2',
    [workspaceId, slug],
  )
  return rows[0] ?? null
}

/**
 * Adds a brand; one that exists stays as it is. `created` and `updated` are one instant: `offset 0` keeps Postgres from asking the clock
 * for each.
 */
export async function insertBrand(tx: Transaction, workspaceId: string, brand: Omit<Brand, 'legal'>): Promise<void> {
  await tx.query(
    `insert into brands (workspace_id, slug, name, vertical, default_currency, created, updated)
     select $1, $2, $3, $4, $5, made_at, made_at from (select app_now() as made_at offset 0) clock
     on conflict do nothing`,
    [workspaceId, brand.slug, brand.name, brand.vertical, brand.default_currency],
  )
}

/** Holds the brand until the transaction ends. The primary key serves it. */
export async function lockBrand(tx: Transaction, slug: string): Promise<void> {
  await tx.query('select 1 from brands where workspace_id = $1 and slug = $2 for no key update', [
    workspaceOf(tx),
    slug,
  ])
}

/** The primary key serves it. */
export async function updateBrand(tx: Transaction, { slug, legal, ...brand }: Brand): Promise<void> {
  await tx.query(
    `update brands set name = $3, vertical = $4, default_currency = $5, legal = $6, version = version + 1, updated = app_now()
     where workspace_id = $1 and slug = $2`,
    [workspaceOf(tx), slug, brand.name, brand.vertical, brand.default_currency, legal && JSON.stringify(legal)],
  )
}
