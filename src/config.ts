// The configuration: environment variables with the prefix TRACEWRIGHT_, all checked before anything starts.
import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { settings } from './settings.ts'
import { readTarget } from './store/connection-url.ts'

const prefix = 'TRACEWRIGHT_'
const settingsPage = 'deploy/docs/configuration.md'

type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]> }

/** The checked settings. Each module takes the subset that it needs. */
export type Config = Settings & { readonly PUBLIC_URL: string }

/** What is wrong with the environment, one sentence for each error. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(
      `the configuration has ${faults.length === 1 ? 'an error' : `${faults.length} errors`}:\n  ${faults.join('\n  ')}`,
    )
    this.faults = faults
  }
}

/** Roles that open sealed data. The others do not get the secret. */
const sealingRoles: ReadonlySet<string> = new Set(['all', 'front', 'front,actor'])

/** Reads the environment. `NAME_FILE` is the path of a file with the value of NAME. Throws a ConfigFault that lists all errors. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = []
  const given = readGiven(env, faults)
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(settings)) {
    const result = schema.safeParse(given.get(name))
    if (result.success) values[name] = result.data
    else faults.push(`${prefix}${name}: ${result.error.issues.map(({ message }) => message).join('; ')}`)
  }
  if (given.has('DATABASE_URL') && !given.has('SECRET') && sealingRoles.has(given.get('ROLES') ?? 'all')) {
    faults.push(`${prefix}SECRET: is required with ${prefix}DATABASE_URL, because all fronts of a service share it`)
  }
  if (faults.length === 0) checkTogether(values as Settings, faults)
  if (faults.length > 0) throw new ConfigFault(faults)
  const checked = values as Settings
  return { ...checked, PUBLIC_URL: checked.PUBLIC_URL ?? makeLocalUrl(checked.PORT) }
}

/** The issuer must be known before the system picks a free port, and stay the same across restarts. */
const makeLocalUrl = (given: number): string =>
  `http://localhost:${given === 0 ? settings.PORT.parse(undefined) : given}`

function checkTogether(config: Settings, faults: string[]): void {
  checkCluster(config, faults)
  checkDatabase(config, faults)
  if (config.INGEST_QUEUE_BYTES < config.INGEST_MAX_BODY_BYTES) {
    faults.push(
      `${prefix}INGEST_QUEUE_BYTES: must not be less than ${prefix}INGEST_MAX_BODY_BYTES, or the largest body could never be accepted`,
    )
  }
  if (config.SECRET_OTHER !== undefined && config.SECRET_OTHER === config.SECRET) {
    faults.push(`${prefix}SECRET_OTHER: must differ from ${prefix}SECRET`)
  }
  checkMail(config, faults)
  const { REBUILD_FROM: from, REBUILD_TO: to } = config
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)) {
    faults.push(`${prefix}REBUILD_TO: must be later than ${prefix}REBUILD_FROM`)
  }
  if (config.RETENTION_DAYS !== undefined && config.RETENTION_DAYS * 86_400 <= config.INGEST_MAX_AGE_S) {
    faults.push(
      `${prefix}RETENTION_DAYS: must be longer than ${prefix}INGEST_MAX_AGE_S, or new spans would be removed at once`,
    )
  }
}

function checkMail({ SMTP_URL: url, SMTP_FROM: from, PUBLIC_URL: base }: Settings, faults: string[]): void {
  if (url === undefined) {
    if (from !== undefined) faults.push(`${prefix}SMTP_FROM: has no effect without ${prefix}SMTP_URL`)
    return
  }
  if (from === undefined) faults.push(`${prefix}SMTP_FROM: is required with ${prefix}SMTP_URL`)
  if (base === undefined)
    faults.push(`${prefix}PUBLIC_URL: is required with ${prefix}SMTP_URL, or links in mail would lead to localhost`)
}

function checkDatabase(config: Settings, faults: string[]): void {
  const { ROLES: roles, DATABASE_URL: url, MIGRATE_DATABASE_URL: ownerUrl } = config
  if (ownerUrl !== undefined && url === undefined && roles !== 'migrate')
    faults.push(`${prefix}MIGRATE_DATABASE_URL: needs ${prefix}DATABASE_URL, the user that the service runs as`)
  if (roles === 'migrate') {
    if (url === undefined && ownerUrl === undefined && (config.FRONT_DATABASE_URL ?? config.ACTOR_DATABASE_URL))
      faults.push(`${prefix}DATABASE_URL: is required to create other database users`)
    checkLogins(config, faults)
    return
  }
  for (const name of ['FRONT_DATABASE_URL', 'ACTOR_DATABASE_URL'] as const)
    if (config[name] !== undefined) faults.push(`${prefix}${name}: has an effect only for the role migrate`)
}

/** A mistyped URL must not create a user on another server, nor give one user the rights of both roles. */
function checkLogins(config: Settings, faults: string[]): void {
  const { FRONT_DATABASE_URL: front, ACTOR_DATABASE_URL: actor } = config
  const ownerUrl = config.MIGRATE_DATABASE_URL ?? config.DATABASE_URL
  const ownerName = config.MIGRATE_DATABASE_URL === undefined ? 'DATABASE_URL' : 'MIGRATE_DATABASE_URL'
  for (const [name, url] of Object.entries({ FRONT_DATABASE_URL: front, ACTOR_DATABASE_URL: actor }))
    if (url !== undefined && ownerUrl !== undefined && readTarget(url).server !== readTarget(ownerUrl).server)
      faults.push(`${prefix}${name}: must have the host, port and database of ${prefix}${ownerName}`)
  if (front !== undefined && actor !== undefined && readTarget(front).user === readTarget(actor).user)
    faults.push(
      `${prefix}ACTOR_DATABASE_URL: must name another user than ${prefix}FRONT_DATABASE_URL, because each has rights that the other must not have`,
    )
}

function checkCluster(config: Settings, faults: string[]): void {
  const { NATS_URL: natsUrl, ROLES: roles } = config
  if (natsUrl !== undefined && config.DATABASE_URL === undefined) {
    faults.push(
      `${prefix}DATABASE_URL: is required with ${prefix}NATS_URL, because all processes of a cluster share it`,
    )
  }
  if (natsUrl !== undefined) return
  if (roles === 'front' || roles === 'actor') {
    faults.push(`${prefix}NATS_URL: is required for the role ${roles}, which works only in a cluster`)
  }
  for (const name of ['NATS_PREFIX', 'NATS_CREDS_FILE', 'NATS_CA_FILE', 'NATS_CERT_FILE', 'NATS_KEY_FILE'] as const)
    if (config[name] !== undefined) faults.push(`${prefix}${name}: has no effect without ${prefix}NATS_URL`)
}

function readGiven(env: NodeJS.ProcessEnv, faults: string[]): Map<string, string> {
  const given = new Map<string, string>()
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith(prefix) || value === undefined) continue
    const name = variable.slice(prefix.length)
    // The names of some settings end in _FILE themselves.
    const base = name.endsWith('_FILE') && !Object.hasOwn(settings, name) ? name.slice(0, -5) : name
    if (!Object.hasOwn(settings, base)) faults.push(`${variable}: unknown setting; ${settingsPage} lists all settings`)
    else if (given.has(base)) faults.push(`${prefix}${base}: is set twice, directly and with ${prefix}${base}_FILE`)
    else if (base === name) given.set(name, value)
    else readFile(variable, base, value, given, faults)
  }
  return given
}

function readFile(variable: string, name: string, path: string, given: Map<string, string>, faults: string[]): void {
  try {
    given.set(name, readFileSync(path, 'utf8').trim())
  } catch (error) {
    faults.push(`${variable}: cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}

/** Returns the table in deploy/docs/configuration.md, generated from the schema. */
export function describeConfig(): string {
  const rows = Object.entries(settings).map(([name, schema]) => {
    const initial = schema.safeParse(undefined)
    const text = initial.success && initial.data !== undefined ? `\`${String(initial.data)}\`` : ''
    return `| \`${prefix}${name}\` | ${text} | ${schema.description ?? ''} |`
  })
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}
