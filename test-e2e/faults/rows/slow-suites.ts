/** Suites that are not run each time, as parts of their paths: jest.config.js and `faults:quick` read them here. */

/** Of the nightly run alone (../README.md and decisions 81, 91 and 122 say why): a change is judged without them. */
export const nightly: readonly string[] = [
  '/faults/log/revoked-without-log.',
  '/faults/processes/sources-killed.',
  '/faults/processes/starved.',
  '/faults/database/disk-full.',
  '/faults/receivers/endpoints-down.',
  '/faults/log/lost-records.',
  '/faults/database/failover.',
  '/faults/database/old-transaction.',
  '/faults/processes/clocks.',
  '/faults/processes/overload.',
  '/faults/processes/upgrade.',
  '/faults/many-faults/many-faults.',
  '/faults/database/restore.',
  '/journeys/start-and-stop-kafka.',
  '/event-log/src/kafka-cluster.',
  '/event-log/src/kafka-restarts.',
  '/k8s/kube-score.',
  '/k8s/images.integration.',
  '/k8s/images-of-services.',
  '/bench/src/bench.',
  '/compose/edge.',
  '/snippets/more-languages.',
  '/browser/console-curl.',
  '/incidents/incidents.integration.',
  '/incidents/dashboards.integration.',
]

/** Others that wait for long even in their short form: `faults:quick` leaves out both. */
export const longEvenIfShort: readonly string[] = [
  '/faults/processes/all-killed.',
  '/faults/log/broker-away.',
  '/faults/database/database-away.',
  '/access/every-route.',
  '/event-log/src/kafka-faults.',
  '/event-log/src/kafka-log.',
]
