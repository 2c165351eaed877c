// A database with tables of two kinds, with and without row-level security, and a way to it that breaks on demand. For tests only.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import pg from 'pg'
import { createPool, type Pool } from './pool.ts'

/** `notes` belong to workspaces, `counters` to nobody; `pool` is of the HTTP role. */
export async function openNotes() {
  const database = await createTestDatabase()
  const owner = new pg.Client({ connectionString: database.urls.services.api.owner })
  await owner.connect()
  await owner.query(`
    create table notes (workspace_id text collate "C" not null, id text collate "C" not null, n integer not null default 0, primary key (workspace_id, id));
    alter table notes enable row level security;
    alter table notes force row level security;
    create policy by_workspace on notes to wds_api using (workspace_id = current_setting('app.workspace_id', true));
    grant select, insert, update, delete on notes to wds_api;
    create table counters (id text primary key, n integer not null);
    grant select, insert, update on counters to wds_api`)
  await owner.end()
  const open = (max: number) =>
    createPool({ connectionString: database.urls.services.api.http, applicationName: 'test', max })
  const pool = open(8)
  return {
    database,
    pool,
    /** Runs `fn` on a pool of one connection. */
    async onOneConnection(fn: (single: Pool) => Promise<void>): Promise<void> {
      const single = open(1)
      await fn(single).finally(() => single.end())
    },
    async close(): Promise<void> {
      await pool.end()
      await database.drop()
    },
  }
}

/** A way to the database that counts the messages to it and can fall silent. */
export async function openWay(database: TestDatabase) {
  const target = new URL(database.urls.services.api.http)
  const sockets: Socket[] = []
  let isSilent = false
  let messages = 0
  let cut: { what(message: Buffer): boolean; side: 'before' | 'behind' } | null = null
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    sockets.push(client, server)
    for (const socket of [client, server]) socket.on('error', () => undefined)
    client.on('data', (chunk) => {
      messages += 1
      const side = cut?.what(chunk) === true ? cut.side : null
      if (!isSilent && side !== 'before') server.write(chunk)
      if (side !== null) client.destroy()
    })
    server.on('data', (chunk) => isSilent || client.write(chunk))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  return {
    url: Object.assign(new URL(target), { port: String(port) }).href,
    messages: () => messages,
    /** The client's side breaks at that message, which goes on to the database or not. */
    cutAt(what: (message: Buffer) => boolean, side: 'before' | 'behind') {
      cut = { what, side }
    },
    silence(on: boolean) {
      isSilent = on
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
