// The manifest checklist of the design, one test for each line, over all manifests that the chart renders for several sets of values.
import test, { type ExecutionContext } from 'ava'
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import type { ICronJob } from 'kubernetes-models/batch/v1/CronJob'
import type { IJob } from 'kubernetes-models/batch/v1/Job'
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import type { IProbe } from 'kubernetes-models/v1/Probe'
import type { IResourceQuota } from 'kubernetes-models/v1/ResourceQuota'
import { settings } from '../../src/settings.ts'
import { findHelm, type Manifest, readRendered, renderSet, runHelm, type ValuesSet, valuesSets } from '../_kit/helm.ts'
import { findOne, findPod, listKind, listPods, readEnv, readQuantity } from '../_kit/helm-manifests.ts'

const helm = findHelm()
const sets = new Map(valuesSets.map((set) => [set, helm === null ? readRendered(set) : renderSet(helm, set)]))

/** Declares one line of the checklist for every set of values. */
function line(
  title: string,
  check: (t: ExecutionContext, manifests: readonly Manifest[], set: ValuesSet) => void,
): void {
  for (const [set, manifests] of sets) test(`${set}: ${title}`, (t) => check(t, manifests, set))
}

const serving = ['front', 'actor'] as const
const path = (probe: IProbe | undefined): string | undefined => probe?.httpGet?.path

test('the committed manifests equal what helm renders', (t) => {
  if (helm === null) t.log('no helm here: the rendering that is committed was checked, which is that of this chart')
  for (const [set, manifests] of sets) t.deepEqual(readRendered(set), manifests, set)
})

line(
  'liveness asks the process alone, readiness asks whether it can work, and a slow start is neither',
  (t, manifests) => {
    for (const part of serving) {
      const { container } = findPod(manifests, part)
      t.is(path(container.livenessProbe), '/v1/health/live')
      t.is(path(container.startupProbe), '/v1/health/live')
      t.is(path(container.readinessProbe), '/v1/health/ready')
      t.true((container.startupProbe?.periodSeconds ?? 0) * (container.startupProbe?.failureThreshold ?? 0) >= 300)
      t.true((container.livenessProbe?.periodSeconds ?? 0) * (container.livenessProbe?.failureThreshold ?? 0) >= 60)
    }
  },
)

line(
  'a stop leaves balancers five seconds, in the process itself, and the grace outlasts the drain',
  (t, manifests) => {
    // src/main.ts ends by force this long after delay and drain.
    const forcedExitMs = 10_000
    const graces = { front: 40, actor: 20 }
    for (const part of serving) {
      const { spec, container } = findPod(manifests, part)
      const env = readEnv(container)
      const delayMs = Number(env['TRACEWRIGHT_DRAIN_DELAY_MS'])
      const drainMs = Number(env['TRACEWRIGHT_DRAIN_MS'])
      t.is(delayMs, part === 'front' ? 5_000 : 0)
      t.is(container.lifecycle, undefined, 'there is no shell in the image')
      t.is(spec.terminationGracePeriodSeconds, graces[part])
      t.true(delayMs + drainMs + forcedExitMs < graces[part] * 1_000)
    }
  },
)

line('at most a quarter of the fronts, one actor and one NATS server are evicted at a time', (t, manifests) => {
  const budgets = listKind<IPodDisruptionBudget>(manifests, 'PodDisruptionBudget')
  const pods = listPods(manifests).filter(({ part }) => [...serving, 'nats'].includes(part))
  t.is(budgets.length, pods.length)
  for (const { part } of pods) {
    const { spec } = findOne<IPodDisruptionBudget>(manifests, 'PodDisruptionBudget', `-${part}`)
    t.is(spec?.maxUnavailable, part === 'front' ? '25%' : 1)
    t.is(spec?.selector?.matchLabels?.['app.kubernetes.io/component'], part)
  }
})

line('there are three fronts or more, and two actors or more', (t, manifests) => {
  const scaler = listKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler')[0]
  const front = findPod(manifests, 'front').owner as unknown as IDeployment
  const actor = findPod(manifests, 'actor').owner as unknown as IStatefulSet
  t.true((scaler?.spec?.minReplicas ?? front.spec?.replicas ?? 0) >= 3)
  t.true((actor.spec?.replicas ?? 0) >= 2)
  t.is(scaler === undefined, front.spec?.replicas !== undefined, 'an HPA and a number of replicas would fight')
})

line('fronts scale up by CPU and, if configured, by bytes in flight, and scale down slowly', (t, manifests, set) => {
  const scalers = listKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler')
  t.is(scalers.length, set === 'external' ? 0 : 1)
  for (const { spec } of scalers) {
    t.is(spec?.scaleTargetRef.name, findPod(manifests, 'front').owner.metadata.name)
    const [cpu, bytes] = spec?.metrics ?? []
    t.is(cpu?.resource?.target.averageUtilization, 60)
    t.is(bytes?.pods?.metric.name, set === 'production' ? 'tracewright_ingest_queued_bytes' : undefined)
    t.is(spec?.behavior?.scaleDown?.stabilizationWindowSeconds, 300)
    t.deepEqual(spec?.behavior?.scaleDown?.policies, [{ type: 'Pods', value: 1, periodSeconds: 300 }])
  }
})

line('pods are spread over zones and over nodes', (t, manifests) => {
  for (const { part, spec, labels } of listPods(manifests)) {
    if (![...serving, 'nats'].includes(part)) continue
    const spreads = spec.topologySpreadConstraints ?? []
    t.deepEqual(
      spreads.map(({ topologyKey }) => topologyKey),
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
    )
    for (const { labelSelector } of spreads) t.like(labels, labelSelector?.matchLabels ?? { none: 'at all' })
  }
})

line(
  'memory is requested as it is limited, CPU is never limited, and the heap takes three quarters',
  (t, manifests) => {
    for (const { part, spec } of listPods(manifests)) {
      for (const container of spec.containers) {
        const { requests, limits } = container.resources ?? {}
        t.is(requests?.['memory'], limits?.['memory'], part)
        t.true(readQuantity(requests?.['cpu']) > 0, part)
        t.is(limits?.['cpu'], undefined, part)
        const heap = /^--max-old-space-size=(\d+)$/.exec(readEnv(container)['NODE_OPTIONS'] ?? '')?.[1]
        if (heap !== undefined) t.is(Number(heap) * 2 ** 20, readQuantity(limits?.['memory']) * 0.75, part)
        t.is(heap === undefined, !['front', 'actor', 'migrate'].includes(part), part)
      }
    }
  },
)

line('serving pods have an existing priority class', (t, manifests) => {
  const classes = manifests.filter(({ kind }) => kind === 'PriorityClass').map(({ metadata }) => metadata.name)
  for (const { part, spec } of listPods(manifests)) {
    // The first migration runs before everything else is installed, including the priority class.
    if (part === 'migrate' && classes.length > 0) t.is(spec.priorityClassName, undefined)
    else t.true([...classes, 'important'].includes(spec.priorityClassName ?? ''), part)
  }
})

line('a rollout removes no front before its successor is ready, and replaces actors one by one', (t, manifests) => {
  const front = findPod(manifests, 'front').owner as unknown as IDeployment
  t.deepEqual(front.spec?.strategy, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })
  const actor = findPod(manifests, 'actor').owner as unknown as IStatefulSet
  t.is(actor.spec?.podManagementPolicy, 'Parallel')
  t.is(actor.spec?.updateStrategy?.type, 'RollingUpdate')
  t.is(actor.spec?.minReadySeconds, 10)
  t.is(actor.spec?.serviceName, actor.metadata?.name)
})

line('migrations are a Job before the new version starts, with retries and a time limit', (t, manifests, set) => {
  const { container, owner } = findPod(manifests, 'migrate')
  t.is(owner.kind, 'Job')
  t.is(readEnv(container)['TRACEWRIGHT_ROLES'], 'migrate')
  const { spec } = owner as unknown as IJob
  t.true((spec?.backoffLimit ?? 0) > 0)
  t.true((spec?.activeDeadlineSeconds ?? 0) > 0)
  // A database of the chart itself exists only after the other resources are installed, and `--wait` waits for processes before any later
  // hook.
  checkHooks(t, manifests, set === 'default' ? undefined : 'pre-install,pre-upgrade,pre-rollback')
})

/** If the migration Job is a hook, everything that it needs from the chart must be an earlier hook. */
function checkHooks(t: ExecutionContext, manifests: readonly Manifest[], hooks: string | undefined): void {
  const ofMigration = manifests.filter(({ metadata }) => /-migrate(-|$)/.test(metadata.name))
  t.deepEqual(ofMigration.map(({ kind }) => kind).sort(), ['Job', 'NetworkPolicy', 'ServiceAccount'])
  for (const { kind, metadata } of ofMigration) {
    const { annotations } = metadata as { annotations?: Record<string, string> }
    t.is(annotations?.['helm.sh/hook'], hooks, kind)
    // Objects of the release and hooks have different names, since a hook outlives the release and `helm install` takes over no hook.
    if (kind !== 'Job') t.is(metadata.name.endsWith('-migrate-first'), hooks === undefined, kind)
    if (hooks === undefined) continue
    t.is(annotations?.['helm.sh/hook-weight'], kind === 'Job' ? '0' : '-5')
    // When helm gives up waiting for the Job, it deletes the earlier hooks that have `hook-succeeded`, and the Job could not continue.
    const policy = kind === 'Job' ? 'before-hook-creation,hook-succeeded' : 'before-hook-creation'
    t.is(annotations?.['helm.sh/hook-delete-policy'], policy, kind)
  }
}

test('an upgrade migrates before it, and so does a rollback, which the old version refuses where it cannot run', (t) => {
  if (helm === null) {
    t.log('no helm here: an upgrade cannot be rendered')
    t.true(sets.size > 0)
    return
  }
  for (const set of valuesSets) {
    const hooks = set === 'default' ? 'pre-upgrade,pre-rollback' : 'pre-install,pre-upgrade,pre-rollback'
    checkHooks(t, runHelm(helm, set, [], ['--is-upgrade']), hooks)
  }
})

line('the migration arranges chunks as fronts and actors take events', (t, manifests) => {
  const [front, migrate] = ['front', 'migrate'].map((part) => readEnv(findPod(manifests, part).container))
  for (const name of ['TRACEWRIGHT_CHUNK_INTERVAL_H', 'TRACEWRIGHT_INGEST_MAX_AGE_S', 'TRACEWRIGHT_LOG_LEVEL'])
    t.is(migrate?.[name], front?.[name], name)
})

line('images have a fixed tag or digest', (t, manifests) => {
  for (const { spec } of listPods(manifests))
    for (const { image = '' } of spec.containers) {
      t.regex(image, /^[^\s@]+(:[A-Za-z0-9._-]+|@sha256:[0-9a-f]{64})$/)
      t.notRegex(image, /:(latest|main|master|edge|nightly|stable)$/)
    }
})

line('every object has the recommended labels, and the selectors of pods differ', (t, manifests) => {
  for (const { kind, metadata } of manifests) {
    const { labels = {} } = metadata as { labels?: Record<string, string> }
    for (const label of ['name', 'instance', 'component', 'part-of', 'version', 'managed-by'])
      t.truthy(labels[`app.kubernetes.io/${label}`], `${kind} ${metadata.name}: ${label}`)
  }
  const pods = listPods(manifests)
  t.is(new Set(pods.map(({ part }) => part)).size, pods.length)
})

line(
  'a quota, where there is one, holds the release at its largest, beside a rollout and a migration',
  (t, manifests, set) => {
    const [quota] = listKind<IResourceQuota>(manifests, 'ResourceQuota')
    t.is(quota !== undefined, set === 'production')
    if (quota === undefined) return
    const scaler = listKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler')[0]
    let cpu = 0
    let memory = 0
    let pods = 0
    for (const { part, owner, spec } of listPods(manifests)) {
      const { replicas = 1 } = owner['spec'] as { replicas?: number }
      const most = part === 'front' ? (scaler?.spec?.maxReplicas ?? replicas) + 1 : replicas
      const { requests } = spec.containers[0]?.resources ?? {}
      cpu += most * readQuantity(requests?.['cpu'])
      memory += most * readQuantity(requests?.['memory'])
      pods += most
    }
    const hard = quota.spec?.hard ?? {}
    t.true(cpu <= readQuantity(hard['requests.cpu']), `${cpu} cores`)
    t.true(memory <= readQuantity(hard['requests.memory']), `${memory} bytes`)
    t.true(pods <= readQuantity(hard['pods']), `${pods} pods`)
  },
)

line(
  'NATS is three servers that keep nothing: without JetStream there is nothing for a volume',
  (t, manifests, set) => {
    t.is(
      listPods(manifests).some(({ part }) => part === 'nats'),
      set !== 'external',
    )
    if (set === 'external') return
    const { owner } = findPod(manifests, 'nats')
    const { spec } = owner as unknown as IStatefulSet
    t.is(spec?.replicas, 3)
    t.is(spec?.volumeClaimTemplates, undefined)
    const { data } = findOne<{ data: Record<string, string> }>(manifests, 'ConfigMap', '-nats')
    t.notRegex(data['nats.conf'] ?? '', /jetstream/i)
  },
)

line(
  'a database of the chart is dumped every day to a volume that stays; one elsewhere is its owner’s',
  (t, manifests, set) => {
    const [backup] = listKind<ICronJob>(manifests, 'CronJob')
    t.is(backup !== undefined, set === 'default')
    t.is(
      listPods(manifests).some(({ part }) => part === 'timescaledb'),
      set === 'default',
    )
    if (backup === undefined) return
    t.regex(backup.spec?.schedule ?? '', /^\d+ \d+ \* \* \*$/)
    t.is(backup.spec?.concurrencyPolicy, 'Forbid')
    const { metadata } = findOne<{ metadata: { annotations: Record<string, string> } }>(
      manifests,
      'PersistentVolumeClaim',
      '-backup',
    )
    t.is(metadata.annotations['helm.sh/resource-policy'], 'keep')
  },
)

line(
  'each volume claim of the release has a pod at once, without which some storage classes never bind it',
  (t, manifests) => {
    const mounted = listPods(manifests)
      .filter(({ owner }) => owner.kind !== 'CronJob')
      .flatMap(({ spec }) => spec.volumes?.map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName) ?? [])
    const claims = listKind(manifests, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)
    t.deepEqual(
      mounted.filter((name) => name !== undefined),
      claims,
    )
  },
)

line('the database of the chart has connections for the maximum number of processes', (t, manifests, set) => {
  if (set !== 'default') return t.pass()
  const initial = (name: 'INGEST' | 'READ' | 'CONTROL'): number =>
    settings[`DATABASE_${name}_CONNECTIONS`].parse(undefined)
  // src/roles/databases.ts: two for the optimizer, two for the cluster, one for the lock.
  const each = initial('INGEST') + initial('READ') + initial('CONTROL') + 5
  const scaler = listKind<IHorizontalPodAutoscaler>(manifests, 'HorizontalPodAutoscaler')[0]
  const actors = (findPod(manifests, 'actor').owner as unknown as IStatefulSet).spec?.replicas ?? 0
  const args = findPod(manifests, 'timescaledb').container.args ?? []
  const most = Number(args.find((arg) => arg.startsWith('max_connections='))?.split('=')[1])
  t.true(((scaler?.spec?.maxReplicas ?? 0) + 1 + actors) * each + 20 <= most)
})
