// The concepts of this service that the API shows, one line each. Routes, `republish` and `rebuild-rows` are put together from it; openapi.yaml
// says the same routes, compared at start.
import { type Concept, concept } from '@wds/aggregate/concept'
import type { Cursors } from '@wds/http-service/cursor'
import { type DeliveryRouteOptions, deliveryRoutes } from './deliveries/routes.ts'
import { type EventRouteOptions, eventRoutes } from './events/routes.ts'
import { replays } from './replays/resource.ts'
import { type ReplayRouteOptions, replayRoutes } from './replays/routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'
import { subscriptions } from './subscriptions/resource.ts'
import { type SubscriptionRouteOptions, subscriptionRoutes } from './subscriptions/routes.ts'
import { type TestSendOptions, testSendRoutes } from './test-sends/send-test.ts'

/** What main gives the routes. */
type Dependencies = { cursors: Cursors } & SubscriptionRouteOptions &
  DeliveryRouteOptions &
  EventRouteOptions &
  ReplayRouteOptions &
  TestSendOptions

export const concepts: readonly Concept<Dependencies>[] = [
  concept(subscriptions, (o: Dependencies) => subscriptionRoutes(o)),
  { routes: deliveryRoutes },
  { routes: statisticsRoutes },
  { routes: eventRoutes },
  concept(replays, (o: Dependencies) => replayRoutes(o)),
  { routes: testSendRoutes },
]
