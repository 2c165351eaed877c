/** Questions to the databases of a stack, behind the services' backs. */
import type { ServiceName } from '@wds/provision/provision'
import pg from 'pg'
import type { Stack } from './stack.ts'

/** Rows of a query as the superuser of the service's database. */
export type Ask = <T>(service: ServiceName, sql: string, values?: unknown[]) => Promise<T[]>

/** Connects at the first question. */
export function openAsk({ adminUrls }: Pick<Stack, 'adminUrls'>): { ask: Ask; end(): Promise<unknown> } {
  const admins = new Map<string, pg.Pool>()
  return {
    ask: async <T>(service: ServiceName, sql: string, values: unknown[] = []): Promise<T[]> => {
      let admin = admins.get(service)
      if (admin === undefined) {
        admin = new pg.Pool({ connectionString: adminUrls[service], max: 2 })
        admin.on('error', () => undefined)
        admins.set(service, admin)
      }
      return (await admin.query(sql, values)).rows as T[]
    },
    end: () => Promise.all([...admins.values()].map((pool) => pool.end())),
  }
}
