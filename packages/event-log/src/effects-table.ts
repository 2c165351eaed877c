// The table in which consumers under test note what took effect.
import type { Transaction } from '@wds/postgres/transaction'
import type { LogRecord } from './port.ts'

/** Made by the harness in the schema of the service; no unique key, so that a second effect shows. */
export const conformanceEffectsSql = `create table effects (n bigint generated always as identity, consumer text not null,
  topic text not null, partition integer not null, off bigint not null, event_id text not null, member text not null)`

/** The effect of the consumers under test. */
export async function noteEffects(
  tx: Transaction,
  consumer: string,
  records: LogRecord[],
  member: string,
): Promise<void> {
  await tx.query(
    `insert into effects (consumer, topic, partition, off, event_id, member)
      select $1, $2, p, o, e, $6 from unnest($3::integer[], $4::bigint[], $5::text[]) as u(p, o, e)`,
    [
      consumer,
      records[0]?.topic,
      records.map((record) => record.partition),
      records.map((record) => record.offset),
      records.map((record) => record.eventId),
      member,
    ],
  )
}
