// The modes of the receiver and what each does to a hook's request. Control and lists answer in every mode.

/** `ok` 200, `fail` 500, `hang` no answer until the sender leaves or the mode changes, `down` the connection is reset. */
export const receiverModes = ['ok', 'fail', 'hang', 'down'] as const
export type ReceiverMode = (typeof receiverModes)[number]

/** Whether the value is a mode. */
export function isReceiverMode(value: unknown): value is ReceiverMode {
  return (receiverModes as readonly unknown[]).includes(value)
}
