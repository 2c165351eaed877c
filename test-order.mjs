// The order of the suites: the slowest first, so that no worker is left with a long one at the end.
import Sequencer from '@jest/test-sequencer'
import { isFullRun } from './packages/local-infra/src/test-size.ts'

/** Slowest first; those that are not named take less than 15 s. */
const slowest = [
  'console-pages',
  // By night the longest by far: the broker is away for 5 minutes, three times. In a change it waits more than it computes, and begins once
  // the checks beside the tests are over: on a machine that has no time for it auth answers too late, and its writes are refused.
  ...(isFullRun() ? ['broker-away'] : []),
  'incidents',
  'old-transaction',
  'start-and-stop',
  'rolling-restart',
  'start-and-stop-kafka',
  'kill-everything',
  'sources-killed',
  'broker-away',
  'starved',
  'dashboards',
  'disk-full',
  'many-faults',
  'restore',
  'endpoints-down',
  'console-webhooks',
  'readme',
  'lost-records',
  'kafka-restarts',
  'clocks',
  'edge',
  'upgrade',
  'overload',
  'revoked-without-log',
  'ninety-days',
  'bench',
  'first-event',
  'kafka-broker',
  'commands',
  'oauth-app',
  'all-killed',
  'database-away',
  'console-curl',
  'more-languages',
  'kafka-cluster',
  'kafka-faults',
  'pages',
  'one-trace',
  'images',
  'oauth',
  'hostile-input',
  'kafka-log',
  'relay',
  'health',
  'auth-killed',
  'refused-start',
  'postgres-log',
  'races',
  'anomalies',
  'advisory-lock',
  'demo-story',
  'every-route',
  'people',
  'postgres-server',
  'hanging-endpoint',
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
