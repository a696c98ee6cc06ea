// Names that helm and Kubernetes accept and that YAML may read as something else, and names that helm accepts and Kubernetes does not.
import test from 'ava'
import type { IService } from 'kubernetes-models/v1/Service'
import { findHelm, type Manifest, runHelm } from '../_kit/helm.ts'
import { findPod, listKind, listPods } from '../_kit/helm-manifests.ts'
import { isSoak } from '../_kit/soak.ts'

const helm = findHelm()

/** Returns all values of this key at any depth. */
function findAll(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => [...(name === key ? [one] : []), ...findAll(one, key)])
}

/** Returns values that Kubernetes refuses: maps of strings in which a value is not a string. */
const listOdd = (manifests: readonly Manifest[]): unknown[] =>
  ['labels', 'matchLabels', 'annotations', 'items', 'name', 'secretName', 'claimName', 'storageClassName']
    .concat(['priorityClassName', 'ingressClassName', 'serviceName', 'serviceAccountName', 'host', 'hosts', 'key'])
    .flatMap((key) => findAll(manifests, key))
    .flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : [one]))
    .filter((one) => typeof one === 'number' || typeof one === 'boolean' || one === null || one instanceof Date)

// A number, a boolean, and names that no Service may have. A template that does not quote the name fails with each of the others too.
const usual = ['2026', 'true', 'my.release', `${'a'.repeat(39)}.b`, 'a'.repeat(53)]
for (const release of isSoak ? [...usual, '1e3', 'null', '0x1f', '1.2'] : usual)
  test(`Kubernetes accepts a release with the name ${release}`, (t) => {
    if (helm === null) return t.pass('no helm here: other values cannot be rendered')
    // The chart has fewer templates for the external set, and all of those take the name in the same way.
    for (const set of isSoak || release === usual[0] ? (['default', 'external'] as const) : (['default'] as const)) {
      const manifests = runHelm(helm, set, [], [], release)
      t.deepEqual(listOdd(manifests), [])
      // RFC 1035, as for Services; the name of a pod is that of a member, which has no dot.
      for (const { metadata } of listKind<IService>(manifests, 'Service'))
        t.regex(metadata.name, /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/)
      t.regex(findPod(manifests, 'actor').owner.metadata.name, /^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$/)
      for (const { labels } of listPods(manifests)) t.is(labels['app.kubernetes.io/instance'], release)
    }
  })

const named = [
  'image.pullSecrets[0]=1',
  'secret.existingSecret=2',
  'mail.existingSecret=3',
  'mail.from=a@b.c',
  'mail.key=4',
  'database.existingSecret=5',
  'database.keys.front=2026-07-01',
  'database.keys.actor=0x10',
  'database.keys.migrate=1e3',
  'database.caSecret=6',
  'database.clientCertSecrets.front=7',
  'nats.existingSecret=8',
  'nats.keys.front=2026',
  'nats.keys.actor=true',
  'nats.tlsSecret=9',
  'timescaledb.storageClass=10',
  'timescaledb.backup.storageClass=11',
  'ingress.host=12',
  'ingress.className=13',
  'ingress.tlsSecret=14',
  'priorityClass.name=15',
  'nameOverride=16',
]
for (const made of [true, false])
  test(`Secrets, keys and classes whose names look like numbers are texts: ${made ? 'in words of the chart' : 'of others'}`, (t) => {
    if (helm === null) return t.pass('no helm here: other values cannot be rendered')
    const chosen = named.filter((one) => !made || !/^(database|nats)\.existingSecret=/.test(one))
    const flags = [...chosen, 'mail.egress.to[0].ipBlock.cidr=10.0.0.0/8'].flatMap((one) => ['--set-string', one])
    // The last one wins: these values are not strings.
    const manifests = runHelm(helm, 'default', ['ingress.enabled=true', 'priorityClass.create=false'], flags)
    t.deepEqual(listOdd(manifests), [])
    const keys = ['front', 'actor', 'migrate'].map(
      (part) =>
        findPod(manifests, part).spec.volumes?.find(({ name }) => name === 'secrets')?.projected?.sources?.[0]?.secret
          ?.items?.[0]?.key,
    )
    t.deepEqual(keys, ['2026-07-01', '0x10', '1e3'])
  })
