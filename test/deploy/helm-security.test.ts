// Pods without privileges, secrets only as files of the role that needs them, and network policies that allow only required traffic.
import test, { type ExecutionContext } from 'ava'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer'
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec'
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount'
import { type Manifest, readRendered, readSecretData, type ValuesSet, valuesSets } from '../_kit/helm.ts'
import { findOne, findPod, listKind, listPods, readEnv } from '../_kit/helm-manifests.ts'

// helm-checklist.test.ts compares these with what helm renders.
const sets = new Map(valuesSets.map((set) => [set, readRendered(set)]))

/** Declares one line of the checklist for every set of values. */
function line(
  title: string,
  check: (t: ExecutionContext, manifests: readonly Manifest[], set: ValuesSet) => void,
): void {
  for (const [set, manifests] of sets) test(`${set}: ${title}`, (t) => check(t, manifests, set))
}

line(
  'pods are what the restricted standard of Kubernetes asks for, with a root that cannot be written',
  (t, manifests) => {
    for (const { part, spec } of listPods(manifests)) {
      t.like(spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }, part)
      t.true((spec.securityContext?.runAsUser ?? 0) > 0, part)
      t.deepEqual([spec.hostNetwork, spec.hostPID, spec.hostIPC, spec.initContainers], Array(4).fill(undefined), part)
      for (const { securityContext, ports = [] } of spec.containers) {
        t.deepEqual(
          securityContext,
          {
            allowPrivilegeEscalation: false,
            privileged: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          part,
        )
        for (const { hostPort } of ports) t.is(hostPort, undefined, part)
      }
    }
  },
)

line('writable volumes have a size limit, and no volume is on the node', (t, manifests) => {
  const kinds = new Set(['emptyDir', 'projected', 'secret', 'persistentVolumeClaim'])
  for (const { part, spec } of listPods(manifests)) {
    for (const { name, ...volume } of spec.volumes ?? []) {
      t.true(
        Object.keys(volume).every((kind) => kinds.has(kind)),
        `${part} ${name}`,
      )
      if (volume.emptyDir !== undefined) t.truthy(volume.emptyDir?.sizeLimit, `${part} ${name}`)
    }
    t.truthy(
      spec.containers[0]?.volumeMounts?.some(({ mountPath }) => mountPath === '/tmp'),
      part,
    )
  }
})

line('no pod has a token of Kubernetes, and no Service adds variables with our prefix', (t, manifests) => {
  const accounts = listKind<IServiceAccount>(manifests, 'ServiceAccount')
  for (const account of accounts) t.is(account.automountServiceAccountToken, false)
  for (const { part, spec } of listPods(manifests)) {
    t.is(spec.automountServiceAccountToken, false, part)
    t.is(spec.enableServiceLinks, false, part)
    t.true(
      accounts.some(({ metadata }) => metadata.name === spec.serviceAccountName),
      part,
    )
  }
  t.false(manifests.some(({ apiVersion }) => apiVersion.startsWith('rbac.')))
})

line('no variable, argument or ConfigMap contains a secret', (t, manifests) => {
  const words = listKind<Manifest>(manifests, 'Secret').flatMap((secret) => Object.values(readSecretData(secret)))
  const texts = manifests.filter(({ kind }) => kind !== 'Secret').map((manifest) => JSON.stringify(manifest))
  for (const word of words) t.false(texts.some((text) => text.includes(word)))
  for (const { part, spec } of listPods(manifests))
    for (const { env = [], envFrom } of spec.containers) {
      t.is(envFrom, undefined, part)
      t.false(
        env.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined),
        part,
      )
    }
})

/** Returns `<secret>/<key>` and the mode of every file of a Secret that a pod can read. */
const listSecretFiles = ({ volumes = [] }: IPodSpec): string[] =>
  volumes
    .flatMap(({ secret, projected }) => [
      ...(secret == null ? [] : [{ name: secret.secretName, items: secret.items, mode: secret.defaultMode }]),
      ...(projected?.sources ?? []).flatMap((source) =>
        source.secret == null ? [] : [{ ...source.secret, mode: projected?.defaultMode }],
      ),
    ])
    // 0440: the pod's own group may read; writing is not allowed.
    .flatMap(({ name, items, mode }) =>
      (items ?? [{ key: '*' }]).map(({ key }) => `${name}/${key} ${mode?.toString(8)}`),
    )
    .sort()

line('each role reads its own secrets, and no others', (t, manifests, set) => {
  const expected = {
    default: {
      front: ['tw-tracewright-database-users/front-url', 'tw-tracewright-nats/front-url', 'tw-tracewright-seal/secret'],
      actor: ['tw-tracewright-database-users/actor-url', 'tw-tracewright-nats/actor-url'],
      // It creates the database users of the other roles.
      migrate: [
        'tw-tracewright-database-users/actor-url',
        'tw-tracewright-database-users/front-url',
        'tw-tracewright-timescaledb/url',
      ],
    },
    production: {
      front: [
        'mail/url',
        'tracewright-database-ca/ca.crt',
        'tracewright-database/front-url',
        'tracewright-nats-tls/ca.crt',
        'tracewright-seal/2026-01',
        'tracewright-seal/2026-07',
        'tw-tracewright-nats/front-url',
      ],
      actor: [
        'tracewright-database-ca/ca.crt',
        'tracewright-database/actor-url',
        'tracewright-nats-tls/ca.crt',
        'tw-tracewright-nats/actor-url',
      ],
      migrate: ['tracewright-database-ca/ca.crt', 'tracewright-database/migrate-url'],
    },
    external: {
      front: ['database/url', 'nats/front-url', 'seal/word'],
      actor: ['database/url', 'nats/actor-url'],
      migrate: ['database/url'],
    },
  }[set]
  for (const [part, files] of Object.entries(expected))
    t.deepEqual(
      listSecretFiles(findPod(manifests, part).spec),
      files.map((file) => `${file} 440`),
      part,
    )
})

line(
  'secrets that were made stay when the release goes, where something that stays needs them',
  (t, manifests, set) => {
    const kept = listKind<Manifest>(manifests, 'Secret')
      .filter(({ metadata }) => {
        const { annotations } = metadata as { annotations?: Record<string, string> }
        return annotations?.['helm.sh/resource-policy'] === 'keep'
      })
      .map(({ metadata }) => metadata.name)
    t.deepEqual(kept, set === 'default' ? ['tw-tracewright-seal', 'tw-tracewright-timescaledb'] : [])
  },
)

line(
  'fronts and actors are database users of their own, which the migration finds before it runs',
  (t, manifests, set) => {
    const secrets = listKind<Manifest>(manifests, 'Secret').filter(({ metadata }) =>
      metadata.name.endsWith('-database-users'),
    )
    t.is(secrets.length, set === 'default' ? 1 : 0)
    for (const secret of secrets) {
      const { annotations } = secret.metadata as { annotations?: Record<string, string> }
      t.is(annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
      t.true(Number(annotations?.['helm.sh/hook-weight']) < -5)
      const data = readSecretData(secret)
      for (const part of ['front', 'actor']) {
        const { username, password, host, pathname } = new URL(data[`${part}-url`] ?? '')
        t.deepEqual([username, password], [`tracewright_${part}`, data[`${part}-password`] ?? ''])
        t.deepEqual([host, pathname], ['tw-tracewright-timescaledb.prod.svc:5432', '/tracewright'])
      }
    }
  },
)

line(
  'NATS lets fronts request and subscribe, actors also serve, and refuses clients without a user',
  (t, manifests, set) => {
    const secrets = listKind<Manifest>(manifests, 'Secret').filter(({ metadata }) => metadata.name.endsWith('-nats'))
    t.is(secrets.length, set === 'external' ? 0 : 1)
    for (const secret of secrets) {
      const data = readSecretData(secret)
      const prefix = set === 'production' ? 'prod.' : ''
      const scheme = set === 'production' ? 'tls' : 'nats'
      for (const part of ['front', 'actor']) {
        const urls = (data[`${part}-url`] ?? '').split(',').map((url) => new URL(url))
        t.is(urls.length, 3)
        for (const [at, { protocol, username, password, host }] of urls.entries()) {
          t.deepEqual([protocol, username, password], [`${scheme}:`, part, 'x'.repeat(32)])
          t.is(host, `tw-tracewright-nats-${at}.tw-tracewright-nats.prod.svc:4222`)
        }
      }
      const [front = '', actor = ''] = (data['auth.conf'] ?? '').split('user: actor')
      t.true(front.includes(`publish: ["${prefix}tw.p.>", "${prefix}tw.inv.*", "${prefix}tw.commit.*"]`))
      t.false(front.includes(`subscribe: ["${prefix}tw.>`))
      t.true(actor.includes(`subscribe: ["${prefix}tw.>", "_INBOX.${prefix}>"]`))
      t.regex(data['routes.conf'] ?? '', /user: route/)
    }
  },
)

type Rules = { from: string[]; to: string[] }

/** Returns what the policies that select a part allow, as `<who> <port>`. */
function readAllowed(manifests: readonly Manifest[], part: string): Rules {
  const { labels } = findPod(manifests, part)
  const policies = listKind<INetworkPolicy>(manifests, 'NetworkPolicy').filter(({ spec }) =>
    Object.entries(spec?.podSelector?.matchLabels ?? {}).every(([label, value]) => labels[label] === value),
  )
  const name = ({ podSelector, namespaceSelector, ipBlock }: INetworkPolicyPeer): string =>
    ipBlock?.cidr ??
    podSelector?.matchLabels?.['app.kubernetes.io/component'] ??
    podSelector?.matchLabels?.['k8s-app'] ??
    Object.values(namespaceSelector?.matchLabels ?? { any: 'any namespace' }).join()
  const list = (
    rules: { peers: readonly INetworkPolicyPeer[]; ports: readonly { port?: string | number }[] }[],
  ): string[] =>
    rules
      .flatMap(({ peers, ports }) => peers.flatMap((peer) => ports.map(({ port }) => `${name(peer)} ${port}`)))
      .sort()
  const specs = policies.flatMap(({ spec }) => (spec == null ? [] : [spec]))
  return {
    from: list(
      specs.flatMap(({ ingress = [] }) => ingress.map(({ from = [], ports = [] }) => ({ peers: from, ports }))),
    ),
    to: list(specs.flatMap(({ egress = [] }) => egress.map(({ to = [], ports = [] }) => ({ peers: to, ports })))),
  }
}

line('network policies deny all other traffic in both directions', (t, manifests) => {
  const deny = findOne<INetworkPolicy>(manifests, 'NetworkPolicy', '-default-deny')
  t.deepEqual(deny.spec?.policyTypes, ['Ingress', 'Egress'])
  t.deepEqual([deny.spec?.ingress, deny.spec?.egress], [undefined, undefined])
  for (const { labels, part } of listPods(manifests)) t.like(labels, deny.spec?.podSelector?.matchLabels ?? {}, part)
  // A rule without peers would allow all sources.
  for (const { spec, metadata } of listKind<INetworkPolicy>(manifests, 'NetworkPolicy')) {
    for (const { from, ports } of spec?.ingress ?? [])
      t.true((from?.length ?? 0) > 0 && (ports?.length ?? 0) > 0, metadata.name)
    for (const { to, ports } of spec?.egress ?? [])
      t.true((to?.length ?? 0) > 0 && (ports?.length ?? 0) > 0, metadata.name)
  }
})

line(
  'each part reaches what it needs, metrics are for monitoring alone, and nobody gets out to the internet',
  (t, manifests, set) => {
    // OpenShift's DNS listens on 5353, and policies apply to the port of the pod.
    const dns = [53, 53, 5353, 5353].map((port) => `kube-dns ${port}`)
    const database = { default: 'timescaledb 5432', production: '10.20.0.0/24 5432', external: '192.0.2.7/32 6432' }[
      set
    ]
    const nats = 'nats 4222'
    const mail = set === 'production' ? ['192.0.2.25/32 587'] : []
    const clients = {
      default: ['any namespace 8080'],
      production: ['ingress-nginx 8080', 'true 8080'],
      external: ['0.0.0.0/0 8080'],
    }[set]
    const sorted = (...rules: string[]): string[] => rules.sort()
    t.deepEqual(readAllowed(manifests, 'front'), {
      from: sorted(...clients, 'monitoring 9464'),
      to: sorted(database, ...dns, nats, ...mail),
    })
    t.deepEqual(readAllowed(manifests, 'actor'), { from: ['monitoring 9464'], to: sorted(database, ...dns, nats) })
    t.deepEqual(readAllowed(manifests, 'migrate'), { from: [], to: sorted(database, ...dns) })
    if (set !== 'external')
      t.deepEqual(readAllowed(manifests, 'nats'), {
        from: sorted('actor 4222', 'front 4222', 'nats 6222'),
        to: sorted(...dns, 'nats 6222'),
      })
    if (set === 'default') {
      t.deepEqual(readAllowed(manifests, 'timescaledb'), {
        from: sorted('actor 5432', 'backup 5432', 'front 5432', 'migrate 5432'),
        to: [],
      })
      t.deepEqual(readAllowed(manifests, 'backup'), { from: [], to: sorted(database, ...dns) })
    }
  },
)

line('the ingress accepts the same sizes as fronts, and routes to fronts', (t, manifests, set) => {
  const ingresses = listKind<{ metadata: { annotations: Record<string, string> } }>(manifests, 'Ingress')
  t.is(ingresses.length, set === 'production' ? 1 : 0)
  for (const { metadata } of ingresses) {
    const { TRACEWRIGHT_INGEST_MAX_BODY_BYTES: most } = readEnv(findPod(manifests, 'front').container)
    t.is(metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size'], most)
    t.is(metadata.annotations['cert-manager.io/cluster-issuer'], 'letsencrypt')
  }
})
