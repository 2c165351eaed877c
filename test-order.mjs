// The order of the suites: the slowest first, so that no worker is left with a long one at the end.
import Sequencer from '@jest/test-sequencer'

/** Slowest first; those that are not named take less than 15 s. */
const slowest = [
  'start-and-stop-kafka',
  'start-and-stop',
  'broker-away',
  'kill-everything',
  'database-away',
  'lost-records',
  'first-event',
  'kafka-loss',
  'kafka-faults',
  'console-pages',
  'console-webhooks',
  'readme',
  'oauth-app',
  'bench',
  'rolling-restart',
  'kafka-broker',
  'hanging-endpoint',
  'one-trace',
  'postgres-server',
  'kafka-log',
  'claim-run',
  'relay',
  'pages',
  'oauth',
  'people',
  'refused-start',
  'postgres-log',
  'advisory-lock',
].map((name) => `/${name}.integration.test.ts`)

// biome-ignore lint/style/noDefaultExport: the test runner asks for one
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    // Those that are not named keep the order of the runner: by what they took last time, else by their size.
    const rankOf = ({ path }) => {
      const rank = slowest.findIndex((end) => path.endsWith(end))
      return rank < 0 ? slowest.length : rank
    }
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
