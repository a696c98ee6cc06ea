// The options that the chart leaves to the operator: a platform with its own rules, one small node, an umbrella chart, GitOps.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { IJob } from 'kubernetes-models/batch/v1/Job'
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount'
import { chartFolder, findHelm, type Manifest, readRendered, renderSet, runHelm } from '../_kit/helm.ts'
import { findOne, findPod, listKind, listPods, readEnv, readQuantity } from '../_kit/helm-manifests.ts'
import { isSoak } from '../_kit/soak.ts'

const helm = findHelm()
const open = helm === null ? readRendered('open') : renderSet(helm, 'open')
/** With the default values. helm-checklist.test.ts compares it with what helm renders. */
const initial = readRendered('default')

test('the committed manifests of a platform with its own rules equal what helm renders', (t) => {
  if (helm === null) t.log('no helm here: the rendering that is committed was checked, which is that of this chart')
  t.deepEqual(readRendered('open'), open)
})

test('every pod has the labels, the affinity and no ids where the platform chooses them', (t) => {
  const pods = listPods(open)
  t.is(pods.length, 3)
  for (const { part, labels, spec } of pods) {
    t.is(labels['example.com/cost'], 'agents', part)
    t.truthy(spec.affinity?.nodeAffinity, part)
    t.is(spec.securityContext, undefined, part)
    t.is(spec.containers[0]?.securityContext, undefined, part)
  }
  for (const { metadata } of listKind<IServiceAccount>(open, 'ServiceAccount')) {
    const { annotations } = metadata as { annotations?: Record<string, string> }
    t.is(annotations?.['example.com/role'], 'tracewright', metadata.name)
  }
  t.deepEqual(listKind(open, 'PodDisruptionBudget'), [])
  // The selectors of Services and policies stay as narrow as before.
  t.false(JSON.stringify(listKind(open, 'NetworkPolicy')).includes('example.com/cost'))
})

test('every role gets its own certificate and credentials as files, the variables and the volumes', (t) => {
  for (const part of ['front', 'actor', 'migrate']) {
    const { spec, container } = findPod(open, part)
    const env = readEnv(container)
    t.is(env['NODE_EXTRA_CA_CERTS'], '/etc/company/ca.crt', part)
    const mounts = new Map(container.volumeMounts?.map(({ name, mountPath }) => [name, mountPath]))
    t.is(mounts.get('company'), '/etc/company', part)
    const secrets = new Map(spec.volumes?.map(({ name, secret }) => [name, secret]))
    for (const [name, mountPath] of mounts) {
      t.true(secrets.has(name), `${part}: ${name}`)
      if (secrets.get(name) != null) t.is(mountPath, `/etc/tracewright/${name}`)
    }
    t.is(secrets.get('database-cert')?.secretName, `${part}-cert`)
    t.deepEqual(
      secrets.get('database-cert')?.items?.map(({ path }) => path),
      ['tls.crt', 'tls.key'],
    )
    t.is(secrets.get('database-cert')?.defaultMode, 0o440)
    const serves = part !== 'migrate'
    t.is(env['TRACEWRIGHT_HOST'], serves ? '::' : undefined)
    t.is(env['TRACEWRIGHT_NATS_CREDS_FILE'], serves ? '/etc/tracewright/nats-creds/user.creds' : undefined)
    t.is(env['TRACEWRIGHT_NATS_CERT_FILE'], serves ? '/etc/tracewright/nats-cert/tls.crt' : undefined)
    t.is(env['TRACEWRIGHT_NATS_KEY_FILE'], serves ? '/etc/tracewright/nats-cert/tls.key' : undefined)
    const creds = secrets.get('nats-creds')?.items
    t.deepEqual(creds, serves ? [{ key: `${part}.creds`, path: 'user.creds' }] : undefined)
  }
})

test('a route of a Gateway leads to the fronts, and its name is the address of the service', (t) => {
  const route = findOne<{ spec: object }>(open, 'HTTPRoute', '')
  t.like(route.spec, {
    parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }],
    hostnames: ['traces.example.com'],
    rules: [{ backendRefs: [{ name: 'tw-tracewright', port: 8080 }] }],
  })
  t.is(readEnv(findPod(open, 'front').container)['TRACEWRIGHT_PUBLIC_URL'], 'https://traces.example.com')
})

const jobName = (manifests: readonly Manifest[]): string => listKind<IJob>(manifests, 'Job')[0]?.metadata.name ?? ''

test('the name of the migration carries the version, within what Kubernetes takes', (t) => {
  t.regex(jobName(open), /^tw-tracewright-migrate-0-2-0-[0-9a-f]{8}$/)
})

type Annotated = { spec: { template: { metadata: { annotations: Record<string, string> } } } }
const digestOf = (manifests: readonly Manifest[], part: string, name: string): string =>
  (findPod(manifests, part).owner as unknown as Annotated).spec.template.metadata.annotations[
    `tracewright.dev/${name}`
  ] ?? ''

/** Only helm can render values other than those whose rendering is committed. */
function rendering(title: string, check: (t: ExecutionContext, helm: string) => void): void {
  test(title, (t) => {
    if (helm !== null) return check(t, helm)
    t.log('no helm here: other values cannot be rendered')
    t.true(open.length > 0)
  })
}

rendering('the name of the migration changes with its pod, and only then', (t, helm) => {
  const name = (...settings: string[]): string => jobName(runHelm(helm, 'open', settings))
  const first = jobName(open)
  t.is(name('front.memory=3Gi', 'migrate.deadlineSeconds=900'), first)
  // The name has a digest of the whole pod.
  const usual = ['image.tag=0.3.0', 'config.LOG_LEVEL=warn']
  const settings = isSoak ? [...usual, 'migrate.memory=1Gi', 'podLabels.a=b'] : usual
  const others = settings.map((one) => name(one))
  t.is(new Set([first, ...others]).size, 1 + settings.length)
  const long = name(`image.tag=${'a'.repeat(100)}`, `fullnameOverride=${'b'.repeat(40)}`)
  t.regex(long, /^b{40}-migrate-a+-[0-9a-f]{8}$/)
  t.true(long.length <= 63)
})

rendering('the Job that binds the volume of the backups gets another name with each change of its pod', (t, helm) => {
  const name = (...settings: string[]): string => {
    const { owner } = findPod(settings.length === 0 ? initial : runHelm(helm, 'default', settings), 'backup-volume')
    return owner.metadata.name
  }
  const first = name()
  t.is(findPod(initial, 'backup-volume').labels['helm.sh/chart'], undefined)
  t.regex(first, /^tw-tracewright-backup-volume-[0-9a-f]{8}$/)
  // A new version of the service changes nothing in the pod.
  t.is(name('image.tag=0.3.0', 'timescaledb.backup.schedule=1 1 * * *'), first)
  t.not(name('timescaledb.image.tag=2.22.2-pg17'), first)
  t.is(name(`fullnameOverride=${'b'.repeat(40)}`).length, 63)
})

rendering('a change of NATS restarts servers and clients, each by what they read', (t, helm) => {
  const digestsOf = (manifests: readonly Manifest[]) => ({
    front: digestOf(manifests, 'front', 'nats-digest'),
    actor: digestOf(manifests, 'actor', 'nats-digest'),
    nats: digestOf(manifests, 'nats', 'config-digest'),
  })
  const digests = (...settings: string[]) => digestsOf(runHelm(helm, 'default', settings))
  const first = digestsOf(initial)
  t.regex(first.nats, /^[0-9a-f]{16}$/)
  t.regex(first.front, /^[0-9a-f]{16}$/)
  t.is(first.front, first.actor)
  // Nor do the passwords, which each rendering generates anew.
  t.deepEqual(digests('front.memory=4Gi'), first)
  // The number of servers and TLS concern all roles; the servers enforce subject permissions, and clients have their subjects in their
  // environment.
  for (const setting of ['nats.replicas=5', 'nats.tlsSecret=tls']) {
    const changed = digests(setting)
    t.not(changed.front, first.front, setting)
    t.not(changed.nats, first.nats, setting)
  }
  const prefixed = digests('config.NATS_PREFIX=prod')
  t.not(prefixed.nats, first.nats)
  t.is(prefixed.front, first.front)
})

rendering('NATS also listens on IPv6', (t, helm) => {
  const read = (manifests: readonly Manifest[]): string =>
    findOne<{ data: Record<string, string> }>(manifests, 'ConfigMap', '-nats').data['nats.conf'] ?? ''
  t.is([...read(runHelm(helm, 'default', ['host=::'])).matchAll(/"\[::\]:\d+"/g)].length, 3)
  t.is([...read(initial).matchAll(/"0\.0\.0\.0:\d+"/g)].length, 3)
})

rendering('conflicting or invalid values are refused with an explanation', (t, helm) => {
  const complain = (...settings: string[]): string => t.throws(() => runHelm(helm, 'default', settings)).message
  t.regex(complain('enabled=false'), /enabled: is false, but the chart is rendered.*condition: tracewright\.enabled/)
  t.regex(complain('nats.credsSecret=x'), /nats\.credsSecret: is for an external NATS/)
  t.regex(complain('nats.clientCertSecret=x'), /nats\.clientCertSecret: is for an external NATS/)
  t.regex(complain('httpRoute.enabled=true'), /httpRoute\.parentRefs: name the Gateway/)
})

rendering('one small node holds all processes with the small values', (t, helm) => {
  const manifests = runHelm(helm, 'default', [], ['--values', join(chartFolder, 'values-small.yaml')])
  let cpu = 0
  let memory = 0
  for (const { part, owner, spec } of listPods(manifests)) {
    const { replicas = 1 } = owner['spec'] as { replicas?: number }
    const { requests } = spec.containers[0]?.resources ?? {}
    t.truthy(requests, part)
    cpu += replicas * readQuantity(requests?.['cpu'])
    memory += replicas * readQuantity(requests?.['memory'])
  }
  t.true(cpu <= 1.5, `${cpu} cores`)
  t.true(memory <= 6.5 * 2 ** 30, `${memory} bytes`)
  t.deepEqual([listKind(manifests, 'PodDisruptionBudget'), listKind(manifests, 'PriorityClass')], [[], []])
})

/** Returns what helm prints after an install; `helm template` leaves it out. */
function readNotes(helm: string, ...settings: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'helm-notes-'))
  try {
    cpSync(chartFolder, copy, { recursive: true })
    cpSync(join(copy, 'templates/NOTES.txt'), join(copy, 'notes.txt'))
    const shown =
      'apiVersion: v1\nkind: Notes\nmetadata: { name: notes }\ntext: {{ tpl (.Files.Get "notes.txt") . | toJson }}\n'
    writeFileSync(join(copy, 'templates/notes.yaml'), shown)
    const onlyNotes = ['--show-only', 'templates/notes.yaml']
    const [notes] = listKind<{ text: string }>(runHelm(helm, 'default', settings, onlyNotes, 'tw', copy), 'Notes')
    return notes?.text ?? ''
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

rendering('the notes name the public URL of the service, and warn if none is set', (t, helm) => {
  const route = ['httpRoute.enabled=true', 'httpRoute.parentRefs[0].name=public']
  const warning = /publicUrl is not set\. Access tokens name http:\/\/localhost:8080/
  for (const settings of [[], route]) t.regex(readNotes(helm, ...settings), warning)
  for (const [url, ...settings] of [
    ['https://traces.example.com', 'publicUrl=https://traces.example.com'],
    ['http://traces.example.com', 'ingress.enabled=true', 'ingress.host=traces.example.com'],
    ['https://traces.example.com', ...route, 'httpRoute.hostnames[0]=traces.example.com'],
  ] as const) {
    const notes = readNotes(helm, ...settings)
    t.true(notes.includes(`URL:       ${url}\n`), url)
    t.notRegex(notes, warning)
  }
})
