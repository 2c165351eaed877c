// Decides what the settings of postbacks say (domain.md 4.3).

/** Names and values of a sender, and where it calls from; what is left out is as domain.md has it. */
export interface PostbackSettings {
  /** From the sender's name of a parameter to ours. */
  parameter_map?: Record<string, string>
  /** From the sender's word for an event to ours. */
  event_map?: Record<string, string>
  /** Address ranges that may call; left out: all. */
  allowed_cidrs?: string[]
}
