// The order of the suites: the slowest first, so that no worker is left with a long one at the end.
import Sequencer from '@jest/test-sequencer'

/** Slowest first; those that are not named take less than 15 s. */
const slowest = [
  'console-pages',
  'start-and-stop-kafka',
  'start-and-stop',
  'kill-everything',
  'rolling-restart',
  'console-webhooks',
  'broker-away',
  'kafka-faults',
  'lost-records',
  'clocks',
  'edge',
  'revoked-without-log',
  'database-away',
  'kafka-loss',
  'kafka-broker',
  'readme',
  'ninety-days',
  'oauth-app',
  'bench',
  'one-trace',
  'first-event',
  'pages',
  'sources-killed',
  'all-killed',
  'oauth',
  'refused-start',
  'kafka-log',
  'races',
  'people',
  'relay',
  'postgres-server',
  'health',
  'hostile-input',
  'hanging-endpoint',
  'advisory-lock',
  'postgres-log',
  'claim-run',
  'verify-signature',
  'sweep',
  'auth-killed',
  'transaction',
  'upstream',
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
