/** F15: records in the log that no consumer can take for an event, each wrong in another way. */
import { randomBytes } from 'node:crypto'
import { idRandomBytes, makeId } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import type { NewLogRecord } from '@wds/event-log/port'
import { eventually } from '../../harness/standalone.ts'
import { openLog } from '../rig/read-log.ts'
import { partitions, type Rig } from '../rig/rig.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function unreadableRecords(workspaceId: string): NewLogRecord[] {
  const headers = { workspace_id: workspaceId, event_type: 'integration.paused' }
  const whole = { topic: topics.workspaceEvents, key: workspaceId, headers, payload: bytes('{}') }
  const wrongs: Partial<NewLogRecord>[] = [
    { headers: {} },
    { payload: null },
    { headers: { ...headers, workspace_id: 'nobody' } },
    { headers: { ...headers, event_type: 'webhook.disabled' }, payload: bytes('{"half') },
    // The log keeps a record by the day of its id.
    { eventId: idNow('dlv') },
  ]
  return wrongs.map((wrong) => ({ ...whole, eventId: idNow('evt'), ...wrong }))
}

const idNow = (prefix: 'evt' | 'dlv') => makeId(prefix, Date.now(), randomBytes(idRandomBytes))

/** Puts some of them into the log; resolves with their ids once they stand there. */
export async function publishUnreadable({ logPlace, workspaceId }: Rig): Promise<string[]> {
  const records = unreadableRecords(workspaceId)
  const { log, close } = openLog(logPlace, partitions)
  try {
    // A broker that was killed just now may not know its partitions yet.
    await eventually('the records are in the log', () => log.publish(records).then(() => true))
  } finally {
    await close()
  }
  return records.map(({ eventId }) => eventId)
}
