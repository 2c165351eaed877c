// K52 as rules over rendered objects: services reach auth's internal listener over TLS, with a certificate that somebody renews.

import { environmentOf } from './environment.ts'
import { type Manifest, nameOf, ofKind, ours, podOf } from './render.ts'
import { mounted } from './service-readers.ts'

/** `CertificateEnds` fires so many hours before an end: by then a certificate must have been renewed. */
const alertHours = 14 * 24
const hoursOf = (duration: string) => Number(/^(\d+)h$/.exec(duration ?? '')?.[1] ?? Number.NaN)

/** What the setting's file is made of: the Secret and its key, null where it is mounted from none. */
function sourceOf(pod: Manifest, file: string | undefined): { secret: string; key: string } | null {
  const path = file?.startsWith(`${mounted}/`) ? file.slice(mounted.length + 1) : undefined
  for (const { projected } of (pod.volumes ?? []) as Manifest[])
    for (const { secret } of (projected?.sources ?? []) as Manifest[])
      for (const item of (secret?.items ?? []) as Manifest[])
        if (item.path === path) return { secret: secret.name, key: item.key }
  return null
}

/** The Secrets whose private key a pod mounts. */
const keysOf = (pod: Manifest): string[] =>
  ((pod.volumes ?? []) as Manifest[])
    .flatMap(({ projected, secret }) => (projected?.sources ?? [{ secret }]) as Manifest[])
    .filter(
      ({ secret }) =>
        secret && (secret.items === undefined || secret.items.some(({ key }: Manifest) => key === 'tls.key')),
    )
    .map(({ secret }) => secret.name ?? secret.secretName)

/** Who serves: its certificate and key come from the Secret of one Certificate. */
function servers(objects: readonly Manifest[]): string[] {
  const certificates = ofKind(objects, 'Certificate')
  return ofKind(ours(objects), 'Deployment').flatMap((deployment) => {
    const pod = podOf(deployment) as Manifest
    const serves = pod.containers[0].ports?.some(({ name }: Manifest) => name === 'internal')
    const secrets = new Set(certificates.map(({ spec }) => spec.secretName as string))
    const held = keysOf(pod).filter((name) => secrets.has(name))
    if (!serves)
      return held.map((name) => `${nameOf(deployment)}: holds the key of ${name}, which it does not serve with`)
    const env = environmentOf(objects, deployment)
    const [cert, key] = [env.WDS_INTERNAL_TLS_CERT_FILE, env.WDS_INTERNAL_TLS_KEY_FILE].map((file) =>
      sourceOf(pod, file),
    )
    return cert?.key === 'tls.crt' && key?.key === 'tls.key' && cert.secret === key.secret && secrets.has(cert.secret)
      ? []
      : [`${nameOf(deployment)}: its internal listener has no certificate that somebody makes`]
  })
}

/** Who asks: over https, by a name that the certificate is for, with the CA that signs it. */
function clients(objects: readonly Manifest[]): string[] {
  return ofKind(ours(objects), 'Deployment').flatMap((deployment) => {
    const env = environmentOf(objects, deployment)
    if (env.WDS_AUTH_INTERNAL_URL === undefined) return []
    const { protocol, hostname, port } = new URL(env.WDS_AUTH_INTERNAL_URL)
    const service = ofKind(objects, 'Service').find(({ metadata }) => metadata.name === hostname)
    const ca = sourceOf(podOf(deployment) as Manifest, env.WDS_AUTH_INTERNAL_CA_FILE)
    const certificate = ofKind(objects, 'Certificate').find(({ spec }) => spec.secretName === ca?.secret)
    return [
      protocol !== 'https:' && 'asks in plain HTTP',
      !service?.spec.ports.some((one: Manifest) => String(one.port) === port && one.appProtocol === 'https') &&
        `asks at ${hostname}:${port}, where no Service leads to TLS`,
      ca?.key !== 'ca.crt' && 'does not know the CA',
      !certificate?.spec.dnsNames?.includes(hostname) && `asks ${hostname}, which the certificate is not for`,
    ]
      .filter((fault) => fault !== false)
      .map((fault) => `${nameOf(deployment)}: ${fault}`)
  })
}

/** Who signs: each Certificate has an Issuer that is there, and is renewed in time. */
function issuers(objects: readonly Manifest[]): string[] {
  const all = ofKind(objects, 'Issuer')
  const certificates = ofKind(objects, 'Certificate')
  return [
    ...certificates.flatMap((certificate) => {
      const { issuerRef, renewBefore, duration, privateKey, isCA } = certificate.spec
      return [
        !all.some(({ kind, metadata }) => kind === issuerRef?.kind && metadata.name === issuerRef?.name) &&
          'has no Issuer',
        !(hoursOf(renewBefore) > alertHours && hoursOf(renewBefore) < hoursOf(duration)) &&
          'is not renewed before the alert',
        // The key of a CA stays: else its pods would have to know two of them for a while.
        privateKey?.rotationPolicy !== (isCA ? 'Never' : 'Always') && 'has a key that stays, or a CA one that does not',
      ]
        .filter((fault) => fault !== false)
        .map((fault) => `${nameOf(certificate)}: ${fault}`)
    }),
    ...all.flatMap((issuer) => {
      const { ca, selfSigned } = issuer.spec
      const signs = certificates.some(({ spec }) => spec.isCA === true && spec.secretName === ca?.secretName)
      return signs || selfSigned ? [] : [`${nameOf(issuer)}: signs with a CA that nobody makes`]
    }),
    ...certificates
      .filter(({ spec }) => {
        const issuer = all.find(({ metadata }) => metadata.name === spec.issuerRef?.name)
        return issuer?.spec.selfSigned && spec.isCA !== true
      })
      .map((certificate) => `${nameOf(certificate)}: is signed by itself, so nobody can check it`),
  ]
}

export const internalTls = (objects: readonly Manifest[]): string[] => [
  ...servers(objects),
  ...clients(objects),
  ...issuers(objects),
]
