// Bounds what a worker asks of one destination host, however many subscriptions of whatever workspaces aim at it (security.md XB10), and
// leaves some of it to other workspaces. The worker counts its own, by the host name of the URL.

/** For each host, in this worker. */
export interface HostLimits {
  readonly requestsPerSecond: number
  /** Requests in progress. */
  readonly sockets: number
  /** Judges a host name as the URL parser gives it: one without a limit. */
  isExempt(name: string): boolean
}

export interface HostCap {
  /** `nowMs`: monotonic. Null: the host is full, for this workspace at least. Else the request may be made, and what is returned is called at its end. */
  enter(attempt: { url: string; workspaceId: string }, nowMs: number): (() => void) | null
}

interface Host {
  inProgress: number
  /** Of them, by workspace. */
  readonly byWorkspace: Map<string, number>
  /** When the next request is due at an even pace. */
  nextMs: number
}

/** This machine, which only a development system calls. */
export const isLoopbackHost = (name: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(name)

/** What a host that was quiet may get at once, in time at its even pace: so no second has more than 1.1 times the rate. */
const burstMs = 100
/** How often hosts that are quiet are forgotten. */
const sweepMs = 60_000
/** Of the requests in progress, for one workspace: attempts that hang count against its share of the slots for a second only. */
const workspacePart = 0.75

export function createHostCap({ requestsPerSecond, sockets, isExempt }: HostLimits): HostCap {
  const hosts = new Map<string, Host>()
  const ofOneMax = Math.ceil(workspacePart * sockets)
  let sweptMs = 0
  const sweep = (nowMs: number): void => {
    if (nowMs - sweptMs < sweepMs) return
    sweptMs = nowMs
    for (const [name, host] of hosts) if (host.inProgress === 0 && host.nextMs <= nowMs - burstMs) hosts.delete(name)
  }
  return {
    enter({ url, workspaceId }, nowMs) {
      const name = new URL(url).hostname
      if (isExempt(name)) return () => undefined
      sweep(nowMs)
      const host = hosts.get(name) ?? { inProgress: 0, byWorkspace: new Map(), nextMs: nowMs - burstMs }
      const own = host.byWorkspace.get(workspaceId) ?? 0
      if (host.inProgress >= sockets || own >= ofOneMax || host.nextMs > nowMs) return null
      hosts.set(name, host)
      host.inProgress += 1
      host.byWorkspace.set(workspaceId, own + 1)
      host.nextMs = Math.max(host.nextMs, nowMs - burstMs) + 1_000 / requestsPerSecond
      return () => {
        host.inProgress -= 1
        const left = (host.byWorkspace.get(workspaceId) ?? 0) - 1
        if (left > 0) host.byWorkspace.set(workspaceId, left)
        else host.byWorkspace.delete(workspaceId)
      }
    },
  }
}
