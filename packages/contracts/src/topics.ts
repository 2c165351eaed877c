// Decides which topics the event log has and which of them is compacted (architecture.md 8).

/** Names of the topics. Key: the workspace id; for `catalog.event-types` the event type. */
export const topics = {
  authEvents: 'auth.events',
  workspaceEvents: 'workspace.events',
  catalogEventTypes: 'catalog.event-types',
  deliveryEvents: 'delivery.events',
  accessUsed: 'access.used',
  auditEntries: 'audit.entries',
} as const

/** Name of a topic. */
export type Topic = (typeof topics)[keyof typeof topics]

/** One topic. */
export interface TopicDefinition {
  readonly name: Topic
  /** The log promises only at least the last record of each key. */
  readonly compacted: boolean
  /** The group that relays must not run ahead of: what waits for it waits in their outboxes, where order is fair. */
  readonly pacedBy?: string
}

/** The group that ingests what becomes deliveries. */
export const ingestGroup = 'delivery.ingest'

/** Every topic that a log has to have before it is used. */
export const topicDefinitions: readonly TopicDefinition[] = [
  { name: topics.authEvents, compacted: false },
  { name: topics.workspaceEvents, compacted: false, pacedBy: ingestGroup },
  { name: topics.catalogEventTypes, compacted: true },
  { name: topics.deliveryEvents, compacted: false },
  { name: topics.accessUsed, compacted: false },
  { name: topics.auditEntries, compacted: false },
]

/** Whether a topic is compacted; false for a name that is not known here. */
export function isCompacted(topic: string): boolean {
  return topicDefinitions.some((definition) => definition.name === topic && definition.compacted)
}
