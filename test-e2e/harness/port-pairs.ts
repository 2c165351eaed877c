/**
 * Ports of a service's two listeners. A process that ended leaves its own to the next one of its service: a block of a test has 100, and a
 * run of many faults starts hundreds of processes.
 */
export interface PortPairs {
  take(service: string): Promise<PortPair>
  /** Once nobody listens on them any more. */
  giveBack(service: string, pair: PortPair): void
}

export type PortPair = [port: number, managementPort: number]

/** `next`: one that nobody had. */
export function createPortPairs(next: () => Promise<number>): PortPairs {
  const left = new Map<string, PortPair[]>()
  return {
    take: async (service) => left.get(service)?.pop() ?? [await next(), await next()],
    giveBack: (service, pair) => void left.set(service, [...(left.get(service) ?? []), pair]),
  }
}
