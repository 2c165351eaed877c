// Who would issue an invoice of a brand now, and whom it would bill: what `generate` takes down for good (domain.md 3.7).
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { findBrand } from '../brands/store-brands.ts'
import type { BillTo, Issuer } from '../parties/domain/party.ts'
import { readSettings } from '../settings/read-settings.ts'

export async function partiesNow(tx: Transaction, slug: string): Promise<{ issuer: Issuer | null; billTo: BillTo }> {
  const { issuer } = await readSettings(tx)
  const brand = await findBrand(tx, workspaceOf(tx), slug)
  if (brand === null) throw new Error('an invoice of no brand')
  return { issuer, billTo: { name: brand.name, legal: brand.legal } }
}
