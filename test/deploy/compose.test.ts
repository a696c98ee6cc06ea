// The guarantees of the compose file to an operator: every container is limited and hardened, every secret is a file that a command makes.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'

type Service = {
  readonly image: string
  readonly read_only?: boolean
  readonly user?: string
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly restart?: string
  readonly ports?: readonly string[]
  readonly networks: readonly string[]
  readonly volumes?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly (string | { readonly source: string })[]
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly deploy: {
    readonly replicas?: number
    readonly resources: { readonly limits: { readonly memory: string; readonly pids: number } }
  }
}

type Compose = {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly configs: Readonly<Record<string, { readonly file: string }>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
}

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const text = readFileSync(join(deploy, 'compose.yaml'), 'utf8')
const compose = parse(text, { merge: true }) as Compose
const services = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => image.includes('tracewright'))

test('every container has limits, no capabilities, a read-only root, and a pinned version', (t) => {
  for (const [name, service] of services) {
    t.true(service.read_only, name)
    t.deepEqual(service.cap_drop, ['ALL'], name)
    t.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
    t.regex(service.deploy.resources.limits.memory, /^\d+M$/, name)
    t.true(service.deploy.resources.limits.pids > 0, name)
    t.regex(service.image, /:[\d.]+(-[a-z0-9]+)?\}?$/, name)
    t.is(service.restart, name === 'migrate' ? 'no' : 'unless-stopped')
    if (name !== 'migrate') t.is(service.healthcheck?.test?.[0], 'CMD', `${name} is asked without a shell`)
  }
  for (const [name, { user }] of ours) t.is(user, '65532:65532', name)
})

test('two fronts serve the one open port, and two actors serve none', (t) => {
  t.deepEqual(
    services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name),
    ['proxy'],
  )
  t.regex(compose.services['proxy']?.ports?.[0] ?? '', /127\.0\.0\.1/)
  t.is(compose.services['front']?.deploy.replicas, 2)
  t.deepEqual(
    services.filter(([, { networks }]) => networks.includes('edge')).map(([name]) => name),
    ['front', 'proxy'],
  )
  t.true(compose.networks['backend']?.internal)
  const actors = ours.filter(([, { environment }]) => environment?.['TRACEWRIGHT_ROLES'] === 'actor')
  t.deepEqual(
    actors.map(([, { environment }]) => environment?.['TRACEWRIGHT_MEMBER_NAME']),
    ['actor-0', 'actor-1'],
  )
  for (const [name, { depends_on: after }] of ours.filter(([name]) => name !== 'migrate'))
    t.is(after?.['migrate']?.condition, 'service_completed_successfully', name)
})

test('the file contains no secret: each is a file that the command creates once, readable by its owner alone', (t) => {
  for (const [name, value] of services.flatMap(([, { environment = {} }]) => Object.entries(environment))) {
    if (!/PASSWORD|SECRET|TOKEN|DATABASE_URL|NATS_URL/.test(name)) continue
    t.regex(name, /_FILE$/)
    t.regex(value, /^\/run\/secrets\//)
  }
  const folder = mkdtempSync(join(tmpdir(), 'tracewright-compose-'))
  try {
    cpSync(join(deploy, 'compose'), join(folder, 'compose'), { recursive: true })
    const make = (): void => void t.is(spawnSync('sh', [join(folder, 'compose/make-secrets.sh')]).status, 0)
    const read = (): string[] =>
      readdirSync(join(folder, 'secrets'))
        .sort()
        .map((name) => readFileSync(join(folder, 'secrets', name), 'utf8'))
    make()
    const first = read()
    make()
    t.deepEqual(read(), first)
    t.is(statSync(join(folder, 'secrets')).mode & 0o777, 0o700)
    for (const { file } of Object.values(compose.secrets)) t.true(existsSync(join(folder, file)), file)
    for (const { file } of Object.values(compose.configs)) t.true(existsSync(join(deploy, file)), file)

    for (const [name, { environment = {}, secrets = [] }] of ours) {
      const names = new Set(secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source)))
      const env = Object.entries(environment)
        .filter(([variable]) => variable.startsWith('TRACEWRIGHT_'))
        .map(([variable, value]) => {
          const secret = /^\/run\/secrets\/(.*)$/.exec(value)?.[1]
          if (secret !== undefined) t.true(names.has(secret), `${name}: ${secret}`)
          const given = /^\$\{\w+:-(.*)\}$/.exec(value)?.[1] ?? value
          return [variable, secret === undefined ? given : join(folder, 'secrets', secret)]
        })
      t.notThrows(() => readConfig(Object.fromEntries(env) as NodeJS.ProcessEnv), name)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('during a change of the secret the fronts also get the other secret, and no other service gets either', (t) => {
  const change = parse(readFileSync(join(deploy, 'compose/change-secret.yaml'), 'utf8')) as Pick<
    Compose,
    'services' | 'secrets'
  >
  t.deepEqual(Object.keys(change.services), ['front'])
  t.deepEqual(change.services['front']?.secrets, ['secret_other'])
  t.deepEqual(change.secrets, { secret_other: { file: './secrets/secret_other' } })
  const folder = mkdtempSync(join(tmpdir(), 'tracewright-compose-'))
  try {
    const files = Object.entries({
      ...compose.services['front']?.environment,
      ...change.services['front']?.environment,
    })
      .filter(([variable]) => variable.startsWith('TRACEWRIGHT_SECRET'))
      .map(([variable, path], at) => {
        const file = join(folder, path.slice('/run/secrets/'.length))
        writeFileSync(file, String(at).repeat(32))
        return [variable, file]
      })
    const config = readConfig(Object.fromEntries(files) as NodeJS.ProcessEnv)
    t.deepEqual([config.SECRET, config.SECRET_OTHER], ['0'.repeat(32), '1'.repeat(32)])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const holders = services.filter(([, { secrets = [] }]) => secrets.includes('secret'))
  t.deepEqual(
    holders.map(([name]) => name),
    ['front'],
  )
})

test('a process gets the time that it needs to stop, and the memory that its heap may take', (t) => {
  for (const [name, service] of ours) {
    const limit = Number.parseInt(service.deploy.resources.limits.memory, 10)
    const heap = /--max-old-space-size=(\d+)/.exec(service.environment?.['NODE_OPTIONS'] ?? '')?.[1]
    if (name !== 'migrate') t.is(Number(heap), limit * 0.75, name)
  }
  const grace = parse(text, { merge: true }) as { services: Record<string, { stop_grace_period?: string }> }
  // Five seconds of draining, twenty for requests in flight, ten until the service ends itself by force.
  t.true(Number.parseInt(grace.services['front']?.stop_grace_period ?? '0', 10) >= 35)
})
