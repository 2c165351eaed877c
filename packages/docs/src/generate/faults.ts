// The reference of faults and invariants, which their own tests make.
import { fileURLToPath } from 'node:url'

/** `packages/docs/reference/faults.md`. Throws where a row of the design is neither borne by a test nor said to be open. */
export async function faultsPage(root: URL): Promise<string> {
  const { rowsPage } = (await import(new URL('test-e2e/faults/rows/judge-rows.ts', root).href)) as {
    rowsPage(root: string): string
  }
  return rowsPage(fileURLToPath(root))
}
