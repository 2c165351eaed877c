/** What incidents do at the database over some time: work that is repeated until it is ended, and sessions opened by hand. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Statements of a loop that runs until it is told to end. */
export function keep(work: () => Promise<unknown>, pauseMs: number): () => Promise<unknown> {
  let isOver = false
  const working = (async () => {
    while (!isOver) {
      await work().catch(() => undefined)
      await sleep(pauseMs)
    }
  })()
  return () => {
    isOver = true
    return working
  }
}

/** A session that somebody opened by hand. */
export async function openSession(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
