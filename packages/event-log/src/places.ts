/** Where records stand: a partition of a topic. */
export interface LogPlace {
  topic: string
  partition: number
}

/** As the key of a map. */
export function placeOf({ topic, partition }: LogPlace): string {
  return `${topic}/${partition}`
}
