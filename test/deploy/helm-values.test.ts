// The values: meaningless ones are refused, and accepted ones give manifests that Kubernetes and the service accept.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule'
import { Ajv } from 'ajv'
import test from 'ava'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { settings } from '../../src/settings.ts'
import { chartFolder, findHelm, type Manifest, readRendered, runHelm, valuesSets } from '../_kit/helm.ts'
import { findOne, findPod, readEnv } from '../_kit/helm-manifests.ts'

const helm = findHelm()
// helm-checklist.test.ts compares these with what helm renders.
const sets = new Map(valuesSets.map((set) => [set, readRendered(set)]))
const root = fileURLToPath(new URL('../../', import.meta.url))
const readChart = (file: string): string => readFileSync(join(chartFolder, file), 'utf8')

type Schema = {
  readonly type?: string
  readonly additionalProperties?: unknown
  readonly properties?: Record<string, Schema>
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
}
const schema = JSON.parse(readChart('values.schema.json')) as Schema
const initial = parse(readChart('values.yaml')) as Record<string, unknown>
const isValid = new Ajv({ strict: true }).compile(schema)

test('the values that are shipped are valid, and every one of them is known', (t) => {
  t.true(isValid(initial), JSON.stringify(isValid.errors))
  const compare = (known: Schema, given: unknown, path: string): void => {
    if (known.properties === undefined || typeof given !== 'object' || given === null) return
    t.is(known.additionalProperties, false, path)
    // `config` is empty as shipped; `global` is helm's.
    if (path === '.config') return
    const names = Object.keys(known.properties).filter((name) => name !== 'global')
    t.deepEqual(Object.keys(given).sort(), names.sort(), path)
    for (const [name, value] of Object.entries(given)) compare(known.properties[name] ?? {}, value, `${path}.${name}`)
  }
  compare(schema, initial, '')
})

const refused: Readonly<Record<string, object>> = {
  'a typo': { fornt: {} },
  'a typo further down': { front: { autoscaling: { minimum: 3 } } },
  'a tag that moves': { image: { tag: 'latest' } },
  'a digest that is none': { image: { digest: 'sha256:abc' } },
  'two fronts': { front: { replicas: 2 } },
  'an HPA down to one front': { front: { autoscaling: { min: 1 } } },
  'a single actor': { actor: { replicas: 1 } },
  'two NATS servers, which are no better than one': { nats: { replicas: 2 } },
  'memory that the chart cannot compute with': { front: { memory: '2G' } },
  'a setting that there is not': { config: { RETENTION: 30 } },
  'a setting that the chart decides': { config: { ROLES: 'all' } },
  'a secret among the settings': { config: { DATABASE_URL: 'postgres://localhost/x' } },
  'a setting out of its bounds': { config: { DECODE_THREADS: 0 } },
  'runbooks that are nowhere': { monitoring: { alerts: { runbookBaseUrl: 'runbooks' } } },
  'a network peer that names nobody': { networkPolicy: { frontFrom: [{}] } },
  'a setting among the variables': { extraEnv: [{ name: 'TRACEWRIGHT_HOST', value: '::' }] },
  'a label by which pods are selected': { podLabels: { 'app.kubernetes.io/component': 'front' } },
  'a volume without a name': { extraVolumes: [{ emptyDir: {} }] },
  'an address of one interface': { host: '10.0.0.1' },
  'no network peers, which would mean everybody': { networkPolicy: { monitoringFrom: [] } },
}

for (const [what, values] of Object.entries(refused))
  test(`refused: ${what}`, (t) => {
    t.false(isValid(values))
  })

test('values that belong together are required together', (t) => {
  if (helm === null) {
    t.log('no helm here: the sentences were looked for in the templates')
    const names = readChart('templates/_names.tpl') + readChart('templates/_network.tpl')
    for (const setting of ['database.existingSecret', 'nats.existingSecret', 'database.egress.to', 'nats.egress.to'])
      t.true(names.includes(`fail "${setting}: `))
    return
  }
  const complain = (...settings: string[]): string => t.throws(() => runHelm(helm, 'default', settings)).message
  t.regex(
    complain('timescaledb.enabled=false', 'networkPolicy.enabled=false'),
    /database\.existingSecret: set the name of a Secret/,
  )
  t.regex(
    complain('nats.enabled=false', 'networkPolicy.enabled=false'),
    /nats\.existingSecret: set the name of a Secret/,
  )
  t.regex(
    complain('timescaledb.enabled=false', 'database.existingSecret=x'),
    /database\.egress\.to: set the NetworkPolicy peers/,
  )
  t.regex(complain('nats.enabled=false', 'nats.existingSecret=x'), /nats\.egress\.to: set the NetworkPolicy peers/)
  t.regex(complain('mail.existingSecret=x', 'mail.from=a@b.c'), /mail\.egress\.to: set the NetworkPolicy peers/)
  t.regex(complain('mail.existingSecret=x'), /mail\.from: set the sender|mail\.egress\.to/)
  t.regex(
    complain('database.existingSecret=x', 'database.createUsers=true', 'database.keys.front=front'),
    /database\.createUsers: needs a key of its own/,
  )
  t.regex(complain('ingress.enabled=true'), /ingress\.host/)
  t.regex(complain('front.autoscaling.min=5', 'front.autoscaling.max=4'), /autoscaling\.max/)
  t.regex(complain('secret.otherKey=secret'), /secret\.otherKey: must differ/)
  t.regex(complain('front.min=3'), /additional properties 'min' not allowed/)
})

// Settings that differ between roles or that the chart decides itself.
const decided = ['ROLES', 'HOST', 'PORT', 'METRICS_PORT', 'DATABASE_URL', 'DATA_DIR', 'NATS_URL', 'NATS_CREDS_FILE']
decided.push('NATS_CA_FILE', 'NATS_CERT_FILE', 'NATS_KEY_FILE', 'MEMBER_NAME', 'SECRET', 'SECRET_OTHER')
decided.push('MIGRATE_DATABASE_URL', 'FRONT_DATABASE_URL', 'ACTOR_DATABASE_URL', 'SMTP_URL', 'SMTP_FROM')
decided.push('PUBLIC_URL', 'REBUILD_WORKSPACE', 'REBUILD_FROM', 'REBUILD_TO', 'DRAIN_DELAY_MS', 'DRAIN_MS')

test('config takes the settings of the service within their bounds, but for those that the chart decides', (t) => {
  const known = schema.properties?.['config']?.properties ?? {}
  const open = Object.keys(settings).filter((name) => !decided.includes(name))
  t.deepEqual(Object.keys(known).sort(), open.sort())
  for (const [name, { minimum, maximum, enum: choices = [] }] of Object.entries(known)) {
    const takes = (value: unknown): boolean => settings[name as keyof typeof settings].safeParse(String(value)).success
    for (const choice of choices) t.true(takes(choice), `${name} ${choice}`)
    if (minimum === undefined || maximum === undefined) continue
    t.deepEqual([minimum - 1, minimum, maximum, maximum + 1].map(takes), [false, true, true, false], name)
  }
})

for (const [set, manifests] of sets)
  test(`${set}: every role accepts its environment, with its secrets in mounted files`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'helm-'))
    const files: Readonly<Record<string, string>> = {
      'database-url': 'postgres://user:word@database:5432/tracewright',
      'front-database-url': 'postgres://front:word@database:5432/tracewright',
      'actor-database-url': 'postgres://actor:word@database:5432/tracewright',
      'nats-url': 'nats://front:word@nats:4222',
      'ca.crt': '',
      seal: 'x'.repeat(48),
      'seal-other': 'y'.repeat(48),
      'smtp-url': 'smtp://user:word@mail.example.com:587?requireTLS=true',
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    try {
      for (const part of ['front', 'actor', 'migrate']) {
        const { container, spec } = findPod(manifests, part)
        const mounted = spec.volumes
          ?.find(({ name }) => name === 'secrets')
          ?.projected?.sources?.flatMap(({ secret }) => secret?.items ?? [])
        const env = Object.entries(readEnv(container)).map(([name, value]) => {
          if (value === '/etc/tracewright/nats-ca/ca.crt') return [name, join(folder, 'ca.crt')]
          const file = /^\/etc\/tracewright\/secrets\/(.*)$/.exec(value)?.[1]
          if (file === undefined) return [name, value]
          t.true(
            mounted?.some(({ path }) => path === file),
            `${part}: ${file}`,
          )
          return [name, join(folder, file)]
        })
        const config = readConfig(Object.fromEntries(env) as NodeJS.ProcessEnv)
        t.is<string, string>(config.ROLES, part)
        t.is(config.SECRET, part === 'front' ? files['seal'] : undefined)
        t.is(config.SECRET_OTHER, part === 'front' && set === 'production' ? files['seal-other'] : undefined)
        t.is(config.SMTP_URL, part === 'front' && set === 'production' ? files['smtp-url'] : undefined)
        const makesUsers = part === 'migrate' && set === 'default'
        t.is(config.FRONT_DATABASE_URL, makesUsers ? files['front-database-url'] : undefined)
        t.is(config.ACTOR_DATABASE_URL, makesUsers ? files['actor-database-url'] : undefined)
        t.is(config.NATS_URL, part === 'migrate' ? undefined : files['nats-url'])
        t.is(config.HOST, part === 'migrate' ? '127.0.0.1' : '0.0.0.0')
        if (part === 'front')
          t.is(
            config.PUBLIC_URL,
            {
              default: 'http://localhost:8080',
              production: 'https://traces.example.com',
              external: 'https://agents.example.com',
            }[set],
          )
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

// Alerts are left out of the committed rendering.
const alerts = parse(readChart('files/alerts.yaml')) as object
const whole = [...sets.values()]
  .flat()
  .map((manifest) => (manifest.kind === 'PrometheusRule' ? { ...manifest, spec: alerts } : manifest))

/** Returns the module with the type and the validator of a kind. */
const moduleOf = ({ apiVersion, kind }: Manifest): string =>
  `${apiVersion.startsWith('monitoring.') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}/${kind}`

// The types reject unknown fields, as from a typo; the validators reject values out of range.
test('every manifest has the fields that Kubernetes knows, and no others', (t) => {
  const folder = join(root, `.cache/manifests-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    const lines = whole.flatMap((manifest, at) => {
      const text = JSON.stringify(manifest, null, 1)
      // An object in an annotation or a label is an error too.
      return [
        `import type { I${manifest.kind} as T${at} } from '${moduleOf(manifest)}'`,
        `export const m${at}: T${at} = ${text}`,
      ]
    })
    // The control, in the same compilation: a misspelled field is the only error.
    const probed = lines.find((one) => one.includes('"readinessProbe"')) ?? ''
    lines.push(probed.replace('"readinessProbe"', '"readinessProb"').replace(/const m\d+/, 'const typo'))
    const file = join(folder, 'manifests.ts')
    writeFileSync(file, lines.join('\n'))
    const flags = [
      '--ignoreConfig',
      '--pretty',
      'false',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'esnext',
    ]
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { stdout } = spawnSync(tsc, [...flags, file], { cwd: root, encoding: 'utf8' })
    t.is(stdout.match(/ error TS/g)?.length, 1, stdout)
    t.regex(stdout, /'?"?readinessProb"?'? does not exist in type/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('every value of every manifest is within what Kubernetes takes', async (t) => {
  for (const manifest of whole) {
    const models = (await import(moduleOf(manifest))) as Record<string, new (data: object) => { validate(): void }>
    const Model = models[manifest.kind]
    if (Model === undefined) throw new Error(`there is no model of ${manifest.kind}`)
    t.notThrows(() => new Model(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`)
  }
})

test('alerts and the dashboard are the files of the chart, word for word, with links to where the runbooks are', (t) => {
  const dashboard = readChart('files/dashboard.json')
  t.true('groups' in alerts)
  t.notThrows(() => JSON.parse(dashboard) as unknown)
  if (helm === null) {
    t.log('no helm here: the rule was not rendered')
    t.true(readChart('templates/prometheus-rule.yaml').includes('.Files.Get "files/alerts.yaml"'))
    t.true(readChart('templates/prometheus-rule.yaml').includes('.runbookBaseUrl'))
    t.true(readChart('templates/dashboard.yaml').includes('.Files.Get "files/dashboard.json"'))
    return
  }
  const readRule = (manifests: readonly Manifest[]) => findOne<IPrometheusRule>(manifests, 'PrometheusRule', '').spec
  const backup = parse(
    readChart('files/backup-alerts.yaml')
      .replaceAll('NAMESPACE', 'prod')
      .replaceAll('CRONJOB', 'tw-tracewright-backup'),
  ) as { groups: object[] }
  const both = { groups: [...(alerts as { groups: object[] }).groups, ...backup.groups] } as IPrometheusRule['spec']
  const enabled = 'monitoring.alerts.enabled=true'
  t.deepEqual(readRule(runHelm(helm, 'default', [enabled])), both)
  const without = runHelm(helm, 'default', [enabled, 'timescaledb.backup.enabled=false'])
  t.deepEqual(readRule(without), alerts as IPrometheusRule['spec'])
  const manifests = runHelm(helm, 'production')
  const linked = readChart('files/alerts.yaml').replaceAll(
    'runbook_url: deploy/runbooks/',
    'runbook_url: https://pages.example.com/runbooks/',
  )
  t.deepEqual(readRule(manifests), parse(linked) as IPrometheusRule['spec'])
  const { data } = findOne<{ data: Record<string, string> }>(manifests, 'ConfigMap', '-dashboard')
  t.is(data['tracewright.json'], dashboard)
})

test('helm waits for the migration as long as that may take, by every command that may run one', (t) => {
  const { deadlineSeconds } = initial['migrate'] as { deadlineSeconds: number }
  const pages = ['deploy/helm/tracewright/README.md', 'deploy/docs/upgrade.md']
  const texts = pages.map((page) => readFileSync(join(root, page), 'utf8'))
  const commands = texts.flatMap((text) => text.match(/^helm (?:upgrade|rollback) .*$/gm) ?? [])
  t.true(commands.length > 0)
  for (const command of commands) {
    const [, minutes] = /--timeout (\d+)m\b/.exec(command) ?? []
    t.true(Number(minutes) * 60 > deadlineSeconds, command)
  }
  for (const [at, text] of texts.entries()) t.regex(text, /`--timeout 65m`/, pages[at])
})
