// How the answers of each pull are read. Everything after it (mapping, checks, storing) and before it (addresses, credentials, pages) is shared.
import type { RowRules } from './domain/check-row.ts'
import type { FeedProvider } from './domain/feed-settings.ts'
import { httpCsvRecords } from './http-csv-source.ts'
import { httpJsonRecords } from './http-json-source.ts'
import type { FeedOrder } from './pull-feed.ts'
import type { SourceRecord } from './source.ts'

type ReadFeed = (order: FeedOrder, rules: RowRules) => AsyncGenerator<SourceRecord>

const readers: Readonly<Record<FeedProvider, ReadFeed>> = {
  http_csv: httpCsvRecords,
  http_json: httpJsonRecords,
}

/** Records of a feed in their order. Throws SourceFailure while they are read. */
export function feedRecords(provider: FeedProvider, order: FeedOrder, rules: RowRules): AsyncGenerator<SourceRecord> {
  return readers[provider](order, rules)
}
