// Floor 4. The configuration: environment variables with our prefix, all of them checked before anything starts.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { logLevels } from './watch/log.ts'
import { planNames } from './workspaces/plans.ts'

const prefix = 'TRACEWRIGHT_'

// Digits alone: Number would take '' for 0 and '0x50' for 80.
const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))
const port = count(0, 65_535)
const path = z.string().min(1).optional()
const mebibyte = 1_048_576

/** Every variable by its name without the prefix, in the order of the table of deploy/docs/configuration.md. */
export const settings = {
  ROLES: z
    .enum(['all', 'front', 'actor', 'front,actor', 'migrate', 'rebuild'])
    .default('all')
    .describe(
      'What this process does: `all` serves; beside NATS `front` answers requests, `actor` owns workspaces and works in the background, `front,actor` does both as `all` does; `migrate` brings the database up to date and ends, which beside NATS nothing else does; `rebuild` counts the rollups anew from events, beside a service that runs, and ends',
    ),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address that the service listens on; `0.0.0.0` for all'),
  PORT: port.default(8080).describe('Port of the interface; 0 picks a free one'),
  METRICS_PORT: port.default(9464).describe('Port of the Prometheus metrics; 0 picks a free one'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL to use; unset: an embedded one under the data folder'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe('Folder of the embedded PostgreSQL and of the generated secret'),
  NATS_URL: z
    .string()
    .min(1)
    .optional()
    .describe(
      'NATS that joins the processes of a cluster, `nats://[user:password@|token@]host[:port]` or `tls://…`, several by commas; unset: this process is alone on its database',
    ),
  NATS_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, 'must be words of letters, digits, - and _, joined by dots')
    .optional()
    .describe(
      'Words before every subject, so that several clusters can share one NATS account; the same in all processes',
    ),
  NATS_CREDS_FILE: path.describe('File with a JWT and its seed that NATS lets in, as `nsc` writes it'),
  NATS_CA_FILE: path.describe('PEM file of who may sign the certificate of NATS'),
  NATS_CERT_FILE: path.describe('PEM file of our own certificate, where NATS wants one'),
  NATS_KEY_FILE: path.describe('PEM file of its key'),
  MEMBER_NAME: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be one word of letters, digits, - and _')
    .optional()
    .describe(
      'Name of this process in its cluster: its own, and the same after a restart, so that it gets the same workspaces back; unset: the name of the host',
    ),
  SECRET: z
    .string()
    .min(32)
    .optional()
    .describe(
      'At least 32 random characters that seal signing keys, sessions and cursors; unset: made once in the data folder (embedded only)',
    ),
  SECRET_OTHER: z
    .string()
    .min(32)
    .optional()
    .describe(
      'While the secret is being changed: the one that it becomes, then the one that it was. It opens as well, and what it sealed is sealed anew with the secret',
    ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:8080')
    .describe('Address under which clients reach the service; the issuer of its tokens'),
  DEFAULT_PLAN: z.enum(planNames).default('self_hosted').describe('Plan of a new workspace; `self_hosted` has no caps'),
  TRUSTED_PROXIES: count(0, 10).default(0).describe('Proxies in front whose X-Forwarded-For is believed'),
  LOG_LEVEL: z.enum(logLevels).default('info').describe('Least severe log line that is written'),
  DATABASE_INGEST_CONNECTIONS: count(1, 100).default(3).describe('Connections that store events'),
  DATABASE_READ_CONNECTIONS: count(1, 100).default(8).describe('Connections that answer dashboards'),
  DATABASE_CONTROL_CONNECTIONS: count(2, 100).default(6).describe('Connections for accounts, keys and rules'),
  DECODE_THREADS: count(1, 64).default(2).describe('Threads that decode what agents send'),
  DECODE_QUEUE: count(1, 100_000)
    .default(64)
    .describe('Requests that may wait for a decode thread before the service answers 503'),
  INGEST_MAX_BODY_BYTES: count(1_024, 1_024 * mebibyte)
    .default(16 * mebibyte)
    .describe('Largest body of an ingest request as sent'),
  INGEST_MAX_INFLATED_BYTES: count(1_024, 1_024 * mebibyte)
    .default(64 * mebibyte)
    .describe('Largest body of an ingest request after gunzip'),
  INGEST_MAX_SPANS: count(1, 1_000_000).default(10_000).describe('Most spans in one ingest request'),
  INGEST_MAX_AGE_S: count(60, 31_536_000)
    .default(604_800)
    .describe('A span that started longer ago than this is rejected'),
  INGEST_MAX_AHEAD_S: count(0, 86_400)
    .default(600)
    .describe('A span that starts further in the future than this is rejected'),
  INGEST_REQUESTS_PER_S: count(1, 1_000_000)
    .default(500)
    .describe('Ingest requests a second that one workspace may send'),
  INGEST_FLUSH_ROWS: count(1, 100_000).default(8_000).describe('Rows at which a group commit is flushed at once'),
  INGEST_FLUSH_MS: count(0, 1_000)
    .default(10)
    .describe('Longest wait of a batch for others to share its commit, while no other commits'),
  INGEST_MAX_WAIT_MS: count(100, 600_000)
    .default(5_000)
    .describe(
      'Longest wait of a request for a decode thread, and again for its commit, before the service answers 503 without having begun',
    ),
  INGEST_QUEUE_BYTES: count(mebibyte, 4_096 * mebibyte)
    .default(128 * mebibyte)
    .describe('Decoded bytes that may wait for the database before the service answers 503'),
  SETTLE_QUIET_MS: count(0, 600_000).default(10_000).describe('How long a trace must be quiet before it is settled'),
  OPTIMIZER_INTERVAL_S: count(1, 3_600)
    .default(15)
    .describe(
      'Least seconds between two looks of the optimization loop at a workspace that events come in for: it proposes, measures and judges rules',
    ),
  OPTIMIZER_TICK_S: count(1, 86_400)
    .default(300)
    .describe('Seconds between two looks at a workspace that no events come in for'),
  OPTIMIZER_FINDINGS_S: count(1, 86_400)
    .default(300)
    .describe('Least seconds between two detections of findings in a workspace'),
  OPTIMIZER_SHARE_PERCENT: count(1, 100)
    .default(10)
    .describe('Most of the time, in percent, that the optimization loop works'),
  CHUNK_INTERVAL_H: count(1, 744)
    .default(24)
    .describe(
      'Hours that one chunk of events holds, where TimescaleDB is installed; new chunks follow a change. Beside NATS the role `migrate` sees to it',
    ),
  RETENTION_DAYS: count(1, 36_500)
    .optional()
    .describe('Days that the plan `self_hosted` keeps events and traces; unset: for ever'),
  REBUILD_WORKSPACE: z.uuid().optional().describe('Workspace whose rollups the role `rebuild` counts anew; unset: all'),
  REBUILD_FROM: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Start of what the role `rebuild` counts anew, as `2026-01-31T00:00:00Z`; unset: the first event'),
  REBUILD_TO: z.iso.datetime({ offset: true }).optional().describe('Its end; unset: the last event'),
  AUTH_RATE_LIMITS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Limits on login, signup and refresh; `off` is for load tests alone'),
  DRAIN_DELAY_MS: count(0, 60_000)
    .optional()
    .describe(
      'How long a front that is told to stop goes on serving while it says that it is not ready, so that balancers notice; unset: 5000 beside NATS, else 0',
    ),
  DRAIN_MS: count(0, 300_000).default(20_000).describe('Longest time that requests in flight get at a stop'),
} as const

type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]> }

/** The checked settings; every reader takes the slice that it needs. */
export type Config = Settings

/** What is wrong with the environment, one sentence a fault. */
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

/** The others open nothing that is sealed, and need not be trusted with it. */
const sealingRoles: ReadonlySet<string> = new Set(['all', 'front', 'front,actor'])

/** Reads the environment. Throws a ConfigFault that names every fault at once. `NAME_FILE` gives the value of NAME by a file. */
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
  if (faults.length === 0) checkTogether(values as Config, faults)
  if (faults.length > 0) throw new ConfigFault(faults)
  return values as Config
}

function checkTogether(config: Config, faults: string[]): void {
  checkCluster(config, faults)
  if (config.INGEST_QUEUE_BYTES < config.INGEST_MAX_BODY_BYTES) {
    faults.push(
      `${prefix}INGEST_QUEUE_BYTES: must be at least ${prefix}INGEST_MAX_BODY_BYTES, or the largest allowed body could never be accepted`,
    )
  }
  if (config.SECRET_OTHER !== undefined && config.SECRET_OTHER === config.SECRET) {
    faults.push(`${prefix}SECRET_OTHER: must differ from ${prefix}SECRET`)
  }
  const { REBUILD_FROM: from, REBUILD_TO: to } = config
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)) {
    faults.push(`${prefix}REBUILD_TO: must be later than ${prefix}REBUILD_FROM`)
  }
  if (config.RETENTION_DAYS !== undefined && config.RETENTION_DAYS * 86_400 <= config.INGEST_MAX_AGE_S) {
    faults.push(
      `${prefix}RETENTION_DAYS: must be longer than ${prefix}INGEST_MAX_AGE_S, or spans would be removed as soon as they are stored`,
    )
  }
}

function checkCluster(config: Config, faults: string[]): void {
  const { NATS_URL: natsUrl, ROLES: roles } = config
  if (natsUrl !== undefined && config.DATABASE_URL === undefined) {
    faults.push(
      `${prefix}DATABASE_URL: is required with ${prefix}NATS_URL, because all processes of a cluster share it`,
    )
  }
  if (natsUrl !== undefined) return
  if (roles === 'front' || roles === 'actor') {
    faults.push(`${prefix}NATS_URL: is required for the role ${roles}, which runs only in a cluster`)
  }
  for (const name of ['NATS_PREFIX', 'NATS_CREDS_FILE', 'NATS_CA_FILE', 'NATS_CERT_FILE', 'NATS_KEY_FILE'] as const)
    if (config[name] !== undefined)
      faults.push(`${prefix}${name}: has no effect without ${prefix}NATS_URL; set both or neither`)
}

function readGiven(env: NodeJS.ProcessEnv, faults: string[]): Map<string, string> {
  const given = new Map<string, string>()
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith(prefix) || value === undefined) continue
    const name = variable.slice(prefix.length)
    // Some settings are files themselves.
    const base = name.endsWith('_FILE') && !Object.hasOwn(settings, name) ? name.slice(0, -5) : name
    if (!Object.hasOwn(settings, base)) faults.push(`${variable}: is not a known setting`)
    else if (given.has(base))
      faults.push(`${prefix}${base}: is set twice, directly and by ${prefix}${base}_FILE; set only one`)
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

/** The table of deploy/docs/configuration.md, made of the schema so that it cannot differ. */
export function describeConfig(): string {
  const rows = Object.entries(settings).map(([name, schema]) => {
    const initial = schema.safeParse(undefined)
    const text = initial.success && initial.data !== undefined ? `\`${String(initial.data)}\`` : ''
    return `| \`${prefix}${name}\` | ${text} | ${schema.description ?? ''} |`
  })
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}
