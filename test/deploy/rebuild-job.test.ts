// The Job of the page on storage, which recomputes rollups beside a release of the chart.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { Job } from 'kubernetes-models/batch/v1/Job'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { type Manifest, readRendered } from '../_kit/helm.ts'
import { findPod, listKind, readEnv } from '../_kit/helm-manifests.ts'

const page = readFileSync(fileURLToPath(new URL('../../deploy/docs/storage.md', import.meta.url)), 'utf8')
const [, block = ''] = /```yaml\n(.*?)\n```/s.exec(page) ?? []
const job = parse(block) as Manifest
const { spec, container, labels } = findPod([job], 'migrate')
const release = 'tracewright'
// As rendered for a release of the name that the page uses.
const manifests = JSON.parse(
  JSON.stringify(readRendered('default'))
    .replaceAll('tw-tracewright', release)
    .replaceAll('"app.kubernetes.io/instance":"tw"', `"app.kubernetes.io/instance":"${release}"`),
) as Manifest[]

test('Kubernetes accepts it, and the policies of the network let it reach the database', (t) => {
  t.notThrows(() => new Job(job).validate())
  const policies = listKind<INetworkPolicy>(manifests, 'NetworkPolicy')
  const selected = policies.filter(({ spec: policy }) =>
    Object.entries(policy?.podSelector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value),
  )
  t.deepEqual(
    selected.map(({ metadata }) => metadata.name),
    ['tracewright-default-deny', 'tracewright-migrate-first'],
  )
})

test('it has the database user of the actors, as the chart mounts it, and the same restrictions', (t) => {
  const actor = findPod(manifests, 'actor')
  const isUrl = (item: { path: string }): boolean => item.path === 'database-url'
  const source = actor.spec.volumes
    ?.find(({ name }) => name === 'secrets')
    ?.projected?.sources?.find(({ secret }) => secret?.items?.some(isUrl) === true)?.secret
  const given = spec.volumes?.find(({ name }) => name === 'secrets')?.secret
  t.is(given?.secretName, source?.name)
  t.deepEqual(given?.items, source?.items)
  t.like(spec, { automountServiceAccountToken: false, enableServiceLinks: false })
  t.like(spec.securityContext, { runAsNonRoot: true, runAsUser: 65532, fsGroup: 65532 })
  t.like(container.securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true })
})

test('the service accepts its settings', (t) => {
  const { TRACEWRIGHT_DATABASE_URL_FILE: file, ...env } = readEnv(container)
  t.is(file, readEnv(findPod(manifests, 'actor').container)['TRACEWRIGHT_DATABASE_URL_FILE'])
  const config = readConfig({ ...env, TRACEWRIGHT_DATABASE_URL: 'postgres://actor:word@database/tracewright' })
  t.is(config.ROLES, 'rebuild')
})
