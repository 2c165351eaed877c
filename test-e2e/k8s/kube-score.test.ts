// What kube-score has to say of every overlay, less what is exempted beside the object with its reason. Nightly: its build takes a minute.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { scoreFindings } from './kube-score.ts'
import { plant } from './plant.ts'
import { build, overlays, root, yamlOf } from './render.ts'

test.each(overlays)('K91: kube-score finds nothing in %s that is not exempted', async (overlay) => {
  expect(scoreFindings((await build(join(root, 'overlays', overlay))).text)).toEqual([])
})

const pod = 'spec.template.spec'
const planted: [finding: string, object: string, path: string, value?: unknown][] = [
  [
    'container-security-context-privileged',
    'Deployment/catalog',
    `${pod}.containers.0.securityContext.privileged`,
    true,
  ],
  ['container-resources', 'Deployment/api-worker', `${pod}.containers.0.resources`],
  ['pod-probes', 'Deployment/auth-http', `${pod}.containers.0.readinessProbe`],
  ['container-image-tag', 'Deployment/console', `${pod}.containers.0.image`, 'registry.example.com/console:latest'],
  ['container-image-pull-policy', 'Deployment/console', 'metadata.annotations'],
  ['service-targets-pod', 'Service/catalog', 'spec.selector', { 'app.kubernetes.io/name': 'catalogue' }],
  ['horizontalpodautoscaler-has-target', 'HorizontalPodAutoscaler/api-http', 'spec.scaleTargetRef.name', 'nobody'],
]
// As objects: a row that lacks its last value would be handed a callback in its place.
const rows = planted.map(([finding, name, path, value]) => ({ finding, name, path, value }))
test.each(rows)('K92: kube-score finds $finding', async ({ finding, name, path, value }) => {
  const { objects } = await build(join(root, 'overlays/production'))
  plant(objects, name, path, value)
  expect(scoreFindings(yamlOf(objects))).toContain(`${name}: ${finding}`)
})
