/** A Postgres that a stack has for itself, so that a test may kill it, copy it or lose its files. */
import { type PostgresServer, startPostgres } from '@wds/local-infra/postgres-server'

/** Four services with two pools each, and whoever looks at what they store, are more than the usual 100. */
export const ownPostgresSettings: Readonly<Record<string, string>> = { max_connections: '300' }

export function startOwnPostgres(o: {
  dataDirectory: string
  port: number
  /** Further ones, which win. */
  settings: Record<string, string>
}): Promise<PostgresServer> {
  return startPostgres({ ...o, settings: { ...ownPostgresSettings, ...o.settings }, onNotice: () => undefined })
}

/** Starts the server of this data again, at the port where everybody knows it. */
export function startOwnPostgresAgain(o: Pick<PostgresServer, 'dataDirectory' | 'port'>): Promise<PostgresServer> {
  return startPostgres({
    dataDirectory: o.dataDirectory,
    port: o.port,
    portDemanded: true,
    settings: ownPostgresSettings,
    onNotice: () => undefined,
  })
}
