/** Another workspace on a stack under faults: what is asked of it is beside the steady load, and nothing that the checkers of that load read. */
import { type Client, clientOf } from '../../harness/client.ts'
import { whenKeyIsKnown } from '../../harness/stack.ts'
import { answered, type Rig } from './rig.ts'

export interface Tenant {
  workspaceId: string
  /** With every scope. */
  client: Client
  /** Their ids. */
  integrations: string[]
}

/** Resolves once its key is known to the services that it is used with. */
export async function makeTenant(
  { stack, url }: Pick<Rig, 'stack' | 'url'>,
  name: string,
  o: { integrations: number },
): Promise<Tenant> {
  const { workspaceId, apiKey } = await stack.makeWorkspace(name)
  for (const path of ['/v1/integrations', '/v1/webhooks']) await whenKeyIsKnown(`${url}${path}`, apiKey)
  const client = clientOf({ base_url: url } as never, apiKey)
  const json = { name, provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
  const made = Array.from({ length: o.integrations }, () => answered(() => client('/v1/integrations', { json })))
  const integrations = (await Promise.all(made)).map(({ body }) => body.id as string)
  return { workspaceId, client, integrations }
}
