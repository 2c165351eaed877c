// The configuration of the local broker: one node that is broker and controller, on loopback, small. Source: stack.md 4.
// Further brokers of a cluster, for tests, have the controller of the first.

/** Ports of one broker on 127.0.0.1. */
export interface KafkaPorts {
  /** For clients. */
  broker: number
  /** For the controller: in the same process, or in that of the broker that this one joins. */
  controller: number
}

/**
 * Text of server.properties; paths are relative to the data folder, which is where the broker is started. `joins`: its number in
 * the cluster of another broker.
 */
export function serverProperties(
  ports: KafkaPorts,
  settings: Record<string, string>,
  joins?: { nodeId: number },
): string {
  const client = `PLAINTEXT://127.0.0.1:${ports.broker}`
  const controller = `127.0.0.1:${ports.controller}`
  const all: Record<string, string | number | boolean> = {
    'process.roles': joins ? 'broker' : 'broker,controller',
    'node.id': joins?.nodeId ?? 1,
    'controller.quorum.voters': `1@${controller}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: joins ? client : `${client},CONTROLLER://${controller}`,
    'advertised.listeners': client,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': logDirectory,
    'auto.create.topics.enable': false,
    'num.partitions': 12,
    'log.segment.bytes': 16 * 1024 * 1024,
    // Defaults are 50 partitions on 3 brokers.
    'offsets.topic.num.partitions': 4,
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    // Defaults are 3 s and 128 MB.
    'group.initial.rebalance.delay.ms': 0,
    'log.cleaner.dedupe.buffer.size': 4 * 1024 * 1024,
    // Defaults are 9 s and 2 s: for so long a broker that was killed is not let in again.
    'broker.session.timeout.ms': 4_000,
    'broker.heartbeat.interval.ms': 1_000,
    'num.network.threads': 2,
    'num.io.threads': 2,
    'background.threads': 2,
    ...settings,
  }
  return `${Object.entries(all)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`
}

/** Folder of the records, inside the data folder. */
export const logDirectory = 'records'

/** Options of the Java machine that keep a broker under 200 MB. */
export const javaOptions = [
  '-Xms96m',
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:ReservedCodeCacheSize=48m',
  '-Xss256k',
  '-Djava.awt.headless=true',
  '-Dlog4j2.disable.jmx=true',
  // Errors only: writing and reading a class archive is talkative.
  '-Xlog:disable',
  '-Xlog:all=error:stderr',
]
