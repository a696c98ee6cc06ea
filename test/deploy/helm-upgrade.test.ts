// What an upgrade changes: pods that must not restart with each version, and the migration of a database that is not up.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { IJob } from 'kubernetes-models/batch/v1/Job'
import { chartFolder, findHelm, type Manifest, readRendered, runHelm } from '../_kit/helm.ts'
import { findPod, listKind, listPods } from '../_kit/helm-manifests.ts'

const helm = findHelm()
/** With the default values. helm-checklist.test.ts compares it with what helm renders. */
const initial = readRendered('default')
const versionLabels = ['app.kubernetes.io/version', 'helm.sh/chart']

test('the pods of the database, of its backups and of NATS have no label of a version', (t) => {
  for (const part of ['timescaledb', 'nats', 'backup', 'backup-volume']) {
    const { labels } = findPod(initial, part)
    for (const label of versionLabels) t.is(labels[label], undefined, `${part}: ${label}`)
  }
  // Prometheus reads the version of fronts and actors there.
  for (const part of ['front', 'actor'])
    for (const label of versionLabels) t.truthy(findPod(initial, part).labels[label], `${part}: ${label}`)
})

/** Renders a copy of the chart in whose file a text is replaced. */
function renderChanged(
  helmPath: string,
  file: string,
  changes: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Manifest[] {
  const copy = mkdtempSync(join(tmpdir(), 'helm-changed-'))
  try {
    cpSync(chartFolder, copy, { recursive: true })
    let text = readFileSync(join(copy, file), 'utf8')
    for (const [from, to] of Object.entries(changes)) {
      if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
      text = text.replace(from, to)
    }
    writeFileSync(join(copy, file), text)
    return runHelm(helmPath, 'default', [], flags, 'tw', copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Only helm can render other values or another chart. */
function rendering(title: string, check: (t: ExecutionContext, helmPath: string) => void): void {
  test(title, (t) => {
    if (helm !== null) return check(t, helm)
    t.log('no helm here: the chart cannot be rendered anew')
    t.true(initial.length > 0)
  })
}

const withVersion = (helmPath: string, version: string): Manifest[] =>
  renderChanged(helmPath, 'Chart.yaml', {
    '\nversion: 0.2.0': `\nversion: ${version}`,
    'appVersion: 0.2.0': 'appVersion: 9.9.9',
  })

rendering('a new version of the chart restarts fronts and actors only', (t, helmPath) => {
  const changed = withVersion(helmPath, '9.9.9')
  for (const { part, owner, spec, labels } of listPods(initial)) {
    const after = findPod(changed, part)
    const isSame = JSON.stringify([spec, labels]) === JSON.stringify([after.spec, after.labels])
    t.is(isSame, !['front', 'actor', 'migrate'].includes(part), `${owner.kind} ${part}`)
  }
})

rendering(
  'a version with build metadata, as Flux gives it to a chart of a registry, is a valid label',
  (t, helmPath) => {
    const changed = renderChanged(helmPath, 'Chart.yaml', {
      '\nversion: 0.2.0': '\nversion: 0.2.0+0123456789ab',
      'appVersion: 0.2.0': 'appVersion: 0.2.0+build.7',
    })
    const labels = changed.flatMap(({ metadata }) =>
      Object.entries((metadata as { labels?: Record<string, string> }).labels ?? {}),
    )
    t.true(labels.some(([name, value]) => name === 'helm.sh/chart' && value === 'tracewright-0.2.0_0123456789ab'))
    t.deepEqual(
      labels.filter(([, value]) => !/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(value)),
      [],
    )
    const job = listKind<IJob>(changed, 'Job').find(({ metadata }) => metadata.name.includes('-migrate-'))
    t.regex(job?.metadata.name ?? '', /^tw-tracewright-migrate-0-2-0-build-7-[0-9a-f]{8}$/)
  },
)

const account = 'lookup "v1" "ServiceAccount" .Release.Namespace "default"'
const database =
  'lookup "apps/v1" "StatefulSet" .Release.Namespace (printf "%s-timescaledb" (include "tracewright.fullname" .))'
const inCluster = { [account]: 'dict "kind" "ServiceAccount"' }
const states: Readonly<Record<string, { readonly found: Readonly<Record<string, string>>; readonly isHook: boolean }>> =
  {
    // As `helm template --is-upgrade` and Argo CD render it.
    'cannot be looked up': { found: {}, isHook: true },
    'is ready': { found: { ...inCluster, [database]: 'dict "status" (dict "readyReplicas" 1)' }, isHook: true },
    'is not ready': { found: { ...inCluster, [database]: 'dict "status" (dict "replicas" 1)' }, isHook: false },
    'is not there': { found: inCluster, isHook: false },
  }
for (const [state, { found, isHook }] of Object.entries(states))
  rendering(
    `the migration of an upgrade whose database ${state} is ${isHook ? 'a hook' : 'a part of the release'}`,
    (t, helmPath) => {
      const manifests = renderChanged(helmPath, 'templates/_migrate.tpl', found, ['--is-upgrade'])
      const ofMigration = manifests.filter(({ metadata }) => /-migrate(-|$)/.test(metadata.name))
      t.is(ofMigration.length, 3)
      for (const { kind, metadata } of ofMigration) {
        const { annotations } = metadata as { annotations?: Record<string, string> }
        t.is(annotations?.['helm.sh/hook'], isHook ? 'pre-upgrade,pre-rollback' : undefined, kind)
      }
    },
  )

rendering('values that are null are as if they were empty', (t, helmPath) => {
  const open = ['ingress.enabled=true', 'ingress.host=traces.example.com', 'monitoring.alerts.enabled=true']
  const names = ['nats.tlsSecret', 'ingress.tlsSecret', 'secret.otherKey', 'config', 'serviceAccount.annotations']
  const nothing = [...names, 'ingress.annotations', 'podLabels', 'podAnnotations'].map((name) => `${name}=null`)
  // Passwords are random, and the digest of what clients read of NATS distinguishes null.
  const forget = (manifests: readonly Manifest[]): string[] =>
    manifests
      .filter(({ kind }) => kind !== 'Secret')
      .map((manifest) => JSON.stringify(manifest).replaceAll(/"tracewright.dev\/nats-digest":"\w+"/g, ''))
  const natsUrl = (manifests: readonly Manifest[]): string => {
    const secret = listKind<{ data: Record<string, string> }>(manifests, 'Secret').find(({ metadata }) =>
      metadata.name.endsWith('-nats'),
    )
    return Buffer.from(secret?.data['front-url'] ?? '', 'base64').toString('utf8')
  }
  for (const flags of [[], ['--is-upgrade']]) {
    const [empty, nulls] = [open, [...open, ...nothing]].map((settings) =>
      runHelm(helmPath, 'default', settings, flags),
    )
    t.deepEqual(forget(nulls ?? []), forget(empty ?? []))
    t.regex(natsUrl(nulls ?? []), /^nats:/)
  }
  const classes = ['priorityClass.create=false', 'priorityClass.name=null']
  for (const { spec, part } of listPods(runHelm(helmPath, 'default', classes)))
    t.is(spec.priorityClassName, undefined, part)
})

rendering('more processes than the database of the chart has connections for are refused', (t, helmPath) => {
  const complain = (...settings: string[]): string => t.throws(() => runHelm(helmPath, 'default', settings)).message
  t.regex(
    complain('front.autoscaling.max=20'),
    /timescaledb\.maxConnections: must be at least 549: 20 fronts, one more during a rollout, and 2 actors with 23 connections each/,
  )
  t.regex(complain('config.DATABASE_READ_CONNECTIONS=50'), /must be at least 865: 10 fronts.* 65 connections each/)
  t.notThrows(() => runHelm(helmPath, 'default', ['front.autoscaling.max=20', 'timescaledb.maxConnections=549']))
  // Replicas are not used with autoscaling, and the reverse.
  t.notThrows(() => runHelm(helmPath, 'default', ['front.replicas=30']))
  t.regex(complain('front.replicas=30', 'front.autoscaling.enabled=false'), /30 fronts/)
})

rendering('memory and the number of dumps of the database of the chart', (t, helmPath) => {
  const settings = ['timescaledb.memory=1536Mi', 'timescaledb.backup.keep=1']
  const manifests = runHelm(helmPath, 'default', settings)
  const args = findPod(manifests, 'timescaledb').container.args ?? []
  t.true(args.includes('shared_buffers=384MB'))
  t.true(args.includes('effective_cache_size=1152MB'))
  // The only dump is kept until the next one is complete.
  t.deepEqual(findPod(manifests, 'backup').container.args?.[0]?.match(/^prune \d+$/gm), ['prune 1', 'prune 1'])
})

test('the database of the chart has the memory of its pod, and writes no rows into its log', (t) => {
  const args = findPod(initial, 'timescaledb').container.args ?? []
  const settings = new Set(args.filter((_, at) => args[at - 1] === '-c'))
  for (const setting of ['shared_buffers=1024MB', 'effective_cache_size=3072MB']) t.true(settings.has(setting), setting)
  for (const setting of ['log_error_verbosity=terse', 'log_min_error_statement=panic'])
    t.true(settings.has(setting), setting)
})
