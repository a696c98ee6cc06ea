// The settings of the service: names, allowed values, defaults and meanings.
import { accessSync, constants, statSync } from 'node:fs'
import { z } from 'zod'
import { hasValidEscapes } from './base/url-escapes.ts'
import { readNatsServers } from './bus/nats-servers.ts'
import { followLibpq } from './store/connection-url.ts'
import { logLevels } from './telemetry/log.ts'
import { planNames } from './workspaces/plans.ts'

// Only digits: Number would convert '' to 0 and '0x50' to 80.
const count = (min: number, max: number) => {
  const range = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, range)
    .transform(Number)
    .pipe(z.number().min(min, range).max(max, range))
}
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.map((value) => `"${value}"`).join(', ')}`)
const nonEmpty = z.string().min(1, 'must not be empty')
const secret = z.string().min(32, 'must have at least 32 characters').optional()
const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T00:00:00Z' }).optional()
const port = count(0, 65_535)
/** The path of a file that can be read. Its content is not read here, because that of a pipe can be read only once. */
const file = z
  .string()
  .superRefine((path, ctx) => {
    const code = findFileFault(path)
    if (code !== null) ctx.addIssue({ code: 'custom', message: `cannot read ${path} (${code})` })
  })
  .optional()
const databaseUrl = z
  .url({
    protocol: /^postgres(ql)?$/,
    error: 'must be a URL such as postgres://user:password@host:5432/database',
    abort: true,
  })
  .refine((url) => hasValidEscapes(new URL(url)), 'a % in the password or another part must be written as %25')
  .transform(followLibpq)
  .optional()
const mebibyte = 1_048_576
// Compared byte for byte with the Origin header of browsers.
const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
const origins = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine((list) => list.every(isOrigin), 'must be origins such as `https://tools.example.com`, without a path')
  .optional()

function findFileFault(path: string): string | null {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path).isDirectory() ? 'EISDIR' : null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

/** Clients add paths to it. */
function isBase(text: string): boolean {
  const url = URL.parse(text)
  return url === null || (!/[?#]/.test(text) && url.username === '' && url.password === '')
}

/** All variables by name without the prefix, in the order of the table in deploy/docs/configuration.md. */
export const settings = {
  ROLES: oneOf(['all', 'front', 'actor', 'front,actor', 'migrate', 'rebuild'])
    .default('all')
    .describe(
      'Role of this process. `front` answers requests and `actor` owns workspaces and does the background work; each alone needs NATS. `all` and `front,actor` do both. `migrate` applies migrations and exits; in a cluster no other role applies them. `rebuild` recomputes rollups from events while the service runs, and exits',
    ),
  HOST: nonEmpty.default('127.0.0.1').describe('Address that the service listens on; `0.0.0.0` for all addresses'),
  PORT: port.default(8080).describe('Port of the HTTP API; 0 picks a free port'),
  METRICS_PORT: port.default(9464).describe('Port of the Prometheus metrics; 0 picks a free port'),
  DATABASE_URL: databaseUrl.describe(
    'URL of the PostgreSQL database, with a user that owns no objects; unset: an embedded PostgreSQL in the data directory',
  ),
  MIGRATE_DATABASE_URL: databaseUrl.describe(
    'URL of the same database with the user that owns the tables, for a process that applies migrations: the role `migrate`, or a process without NATS; unset: `DATABASE_URL`',
  ),
  FRONT_DATABASE_URL: databaseUrl.describe(
    'Only for the role `migrate`: the `DATABASE_URL` of the fronts. The migration creates its user as a member of `tracewright_front`; an existing member gets this password; unset: an administrator creates the user',
  ),
  ACTOR_DATABASE_URL: databaseUrl.describe(
    'Only for the role `migrate`: the same for the actors and `tracewright_actor`',
  ),
  DATA_DIR: nonEmpty.default('.data').describe('Directory of the embedded PostgreSQL and of the generated secret'),
  NATS_URL: z
    .string()
    .refine(
      (text) => readNatsServers(text) !== null,
      'must be a URL such as nats://nats.example.com:4222 or tls://nats.example.com:4222, or several, separated by commas; a % in a password is written as %25',
    )
    .optional()
    .describe(
      'URL of the NATS that connects the processes of a cluster, `nats://[user:password@|token@]host[:port]` or `tls://…`; separate several with commas; unset: this is the only process on its database',
    ),
  NATS_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, 'must be words of letters, digits, - and _, joined by dots')
    .optional()
    .describe(
      'Prefix of every NATS subject, so that several clusters can share one NATS account; the same in all processes',
    ),
  NATS_CREDS_FILE: file.describe('File with the NATS user JWT and seed, as `nsc` writes it'),
  NATS_CA_FILE: file.describe('PEM file of the CA certificates that may sign the certificate of NATS'),
  NATS_CERT_FILE: file.describe('PEM file of the client certificate, if NATS requires one'),
  NATS_KEY_FILE: file.describe('PEM file of the key of the client certificate'),
  MEMBER_NAME: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be one word of letters, digits, - and _')
    .optional()
    .describe(
      'Name of this process in its cluster. It must be unique, and the same after a restart so that the process owns the same workspaces again; unset: the host name',
    ),
  SECRET: secret.describe(
    'At least 32 random characters that protect signing keys, sessions and cursors; unset: generated once in the data directory (with the embedded PostgreSQL only)',
  ),
  SECRET_OTHER: secret.describe(
    'During a change of the secret: first the new secret, then the old one. The service can also open what was sealed with it, and seals that again with `SECRET`',
  ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://traces.example.com' })
    .refine(isBase, 'must have no query, fragment or credentials')
    .optional()
    .describe(
      'URL that clients use to reach the service; the issuer of its tokens and the base of links in mail; unset: `http://localhost` with the port of the HTTP API',
    ),
  CORS_ORIGINS: origins.describe(
    'Origins whose web pages may call the HTTP API, such as `https://tools.example.com`; separate several with commas. This excludes calls with an API key, and cookies are never sent; unset: only pages of the service itself',
  ),
  DASHBOARD: oneOf(['on', 'build', 'off'])
    .default('on')
    .describe(
      'Dashboard of the fronts: `on` serves the existing build, `build` builds it first if it is missing or older than its sources (`npm start` sets this), `off` serves none',
    ),
  SIGNUP: oneOf(['open', 'invited'])
    .default('open')
    .describe('Who may sign up: `open` anybody, `invited` only people with an invite to an organization'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be a URL such as smtp://user:password@mail.example.com:587' })
    .optional()
    .describe(
      'URL of the SMTP server that sends the mail of the service, `smtp://[user:password@]host[:port]` or `smtps://…`; `smtp` uses STARTTLS if the server offers it, and `?requireTLS=true` requires it; unset: the service sends no mail, and owners create reset links',
    ),
  SMTP_FROM: z
    .string()
    .regex(/^[^\r\n]{3,320}$/, 'must be one line of 3 to 320 characters')
    .regex(/@/, 'must contain an e-mail address')
    .optional()
    .describe('Sender of mail, `address` or `Name <address>`; required with `SMTP_URL`, as is `PUBLIC_URL`'),
  DEFAULT_PLAN: oneOf(planNames)
    .default('self_hosted')
    .describe('Plan of new workspaces; `self_hosted` has no event quota and no agent cap'),
  FREE_WORKSPACES: count(1, 200)
    .default(3)
    .describe(
      'Maximum number of workspaces with the plan `free` that one user can create in the organizations that they belong to, including the workspace of the sign-up; deleted workspaces and other plans do not count',
    ),
  TRUSTED_PROXIES: count(0, 10)
    .default(0)
    .describe('Number of proxies in front of the service whose X-Forwarded-For header is trusted'),
  CONNECTIONS_PER_ADDRESS: count(1, 10_000)
    .optional()
    .describe(
      'Maximum connections of one client address (IPv6: of one /64; a /48 may have twice as many) to this process, which accepts 10000 in all; unset: 2500, or no limit if `TRUSTED_PROXIES` is not 0',
    ),
  LOG_LEVEL: oneOf(logLevels).default('info').describe('Minimum level of the log lines that are written'),
  DATABASE_INGEST_CONNECTIONS: count(1, 100)
    .default(4)
    .describe(
      'Maximum database connections for storing events: one for settling, one for workspaces that send little, the others for any workspace',
    ),
  DATABASE_READ_CONNECTIONS: count(1, 100)
    .default(8)
    .describe(
      'Maximum database connections for dashboard queries and audit logs; the requests of one workspace, or of one user, use at most three quarters of them',
    ),
  DATABASE_CONTROL_CONNECTIONS: count(2, 100)
    .default(6)
    .describe(
      'Maximum database connections for accounts, keys and rules; the requests of one workspace, or of one user, use at most three quarters of them, and one client address that sends unknown keys half of them',
    ),
  DECODE_THREADS: count(1, 64).default(2).describe('Number of threads that decode ingest requests'),
  DECODE_QUEUE: count(1, 100_000)
    .default(64)
    .describe(
      'Maximum number of requests that wait for a decode thread; beyond it, the service answers 503 to the workspace with the most of them',
    ),
  INGEST_MAX_BODY_BYTES: count(1_024, 1_024 * mebibyte)
    .default(16 * mebibyte)
    .describe('Maximum size of the body of an ingest request as sent'),
  INGEST_MAX_INFLATED_BYTES: count(1_024, 1_024 * mebibyte)
    .default(64 * mebibyte)
    .describe('Maximum size of the body of an ingest request after decompression'),
  INGEST_MAX_SPANS: count(1, 1_000_000).default(10_000).describe('Maximum number of spans in one ingest request'),
  INGEST_MAX_AGE_S: count(60, 31_536_000)
    .default(604_800)
    .describe('Maximum age of a span; a span that started earlier is rejected'),
  INGEST_MAX_AHEAD_S: count(0, 86_400)
    .default(600)
    .describe('Maximum time by which the start of a span may lie in the future; a later span is rejected'),
  INGEST_REQUESTS_PER_S: count(1, 1_000_000)
    .default(500)
    .describe('Maximum ingest requests per second of one workspace, counted by each front'),
  INGEST_FLUSH_ROWS: count(1, 100_000)
    .default(8_000)
    .describe(
      'Number of rows at which a group commit starts immediately; a row of more than 4 KiB counts as several. A workspace with more than 1/32 of this number of rows shares no commit with smaller ones',
    ),
  INGEST_FLUSH_MS: count(0, 1_000)
    .default(10)
    .describe(
      'Maximum time that a batch waits for other batches to share its commit, if no such commit is in progress',
    ),
  INGEST_MAX_WAIT_MS: count(100, 600_000)
    .default(5_000)
    .describe(
      'Maximum time that a request waits for a decode thread, and again for the start of its commit, before the service answers 503',
    ),
  INGEST_QUEUE_BYTES: count(mebibyte, 4_096 * mebibyte)
    .default(128 * mebibyte)
    .describe(
      'Maximum decoded bytes that wait for the database, and maximum bytes of request bodies in memory; beyond it, the service answers 503 to the workspace with the most of them',
    ),
  SETTLE_QUIET_MS: count(0, 600_000).default(10_000).describe('Time without new spans after which a trace is settled'),
  OPTIMIZER_INTERVAL_S: count(1, 3_600)
    .default(15)
    .describe(
      'Minimum seconds between two passes of the optimization loop over a workspace that receives events; a pass proposes, measures and evaluates rules. A rule that a held-out call contradicts is measured within about a second, whatever the interval, if the call failed or gave a result that cannot be stored, or its process has an earlier result of the input in memory to compare with',
    ),
  OPTIMIZER_TICK_S: count(1, 86_400)
    .default(300)
    .describe('Seconds between two passes over a workspace that receives no events'),
  OPTIMIZER_FINDINGS_S: count(1, 86_400)
    .default(300)
    .describe('Minimum seconds between two detections of findings in a workspace'),
  OPTIMIZER_SHARE_PERCENT: count(1, 100)
    .default(10)
    .describe(
      'Maximum share of time, in percent, for which the optimization loop runs; measurements of contradicted rules have as much for themselves',
    ),
  CHUNK_INTERVAL_H: count(1, 744)
    .default(24)
    .describe(
      'Length in hours of one chunk of events, with TimescaleDB; a change applies to new chunks. In a cluster the role `migrate` applies it',
    ),
  RETENTION_DAYS: count(1, 36_500)
    .optional()
    .describe('Days for which the plan `self_hosted` keeps events and traces; unset: no limit'),
  REBUILD_WORKSPACE: z
    .uuid('must be the id of a workspace, a UUID')
    .optional()
    .describe('Workspace whose rollups the role `rebuild` recomputes; unset: all'),
  REBUILD_FROM: time.describe(
    'Start of the time range that the role `rebuild` recomputes, such as `2026-01-31T00:00:00Z`; unset: the first event',
  ),
  REBUILD_TO: time.describe('End of that time range; unset: the last event'),
  AUTH_RATE_LIMITS: oneOf(['on', 'off'])
    .default('on')
    .describe(
      'Rate limits on login, signup, refresh, password change and reset, and on the changes of one session and of one user; `off` is only for load tests',
    ),
  PASSWORD_HASH_MEMORY_MIB: count(19, 1_024)
    .default(64)
    .describe(
      'Memory in MiB that hashing one password takes; one core fewer than there are, and at most four, hash at a time. Its CPU time grows with it. Passwords with another value are hashed again at the next login',
    ),
  DRAIN_DELAY_MS: count(0, 60_000)
    .optional()
    .describe(
      'Time for which a front continues to serve after SIGTERM while it reports not ready, so that load balancers notice; unset: 5000 in a cluster, else 0',
    ),
  DRAIN_MS: count(0, 300_000)
    .default(20_000)
    .describe('Maximum time for requests in flight to finish when the process stops'),
} as const

export type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]> }

/** Of the environment variables. */
export const prefix = 'TRACEWRIGHT_'
