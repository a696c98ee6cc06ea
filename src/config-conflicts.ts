// Conflicts between settings that are valid each by itself.
import { prefix, type Settings } from './settings.ts'
import { readTarget } from './store/connection-url.ts'

type Name = keyof Settings
type Conflict = { readonly names: readonly Name[]; readonly find: (config: Settings) => string | null }

/** `find` reads only the settings in `names`, which are all valid. It returns the fault, or null. */
const conflict = <const Names extends readonly Name[]>(
  names: Names,
  find: (config: Pick<Settings, Names[number]>) => string | null,
): Conflict => ({ names, find })

/** Roles that open sealed data. The others do not get the secret. */
const sealingRoles: ReadonlySet<string> = new Set(['all', 'front', 'front,actor'])

const natsOnly = ['NATS_PREFIX', 'NATS_CREDS_FILE', 'NATS_CA_FILE', 'NATS_CERT_FILE', 'NATS_KEY_FILE'] as const
const createdUsers = ['FRONT_DATABASE_URL', 'ACTOR_DATABASE_URL'] as const

const conflicts: readonly Conflict[] = [
  conflict(['PORT', 'METRICS_PORT'], ({ PORT: port, METRICS_PORT: metricsPort }) =>
    port !== 0 && port === metricsPort ? `METRICS_PORT: must differ from ${prefix}PORT` : null,
  ),
  conflict(['DATABASE_URL', 'SECRET', 'ROLES'], ({ DATABASE_URL: url, SECRET: secret, ROLES: roles }) =>
    url !== undefined && secret === undefined && sealingRoles.has(roles)
      ? `SECRET: is required with ${prefix}DATABASE_URL, because all fronts of a service share it`
      : null,
  ),
  conflict(['SECRET', 'SECRET_OTHER'], ({ SECRET: secret, SECRET_OTHER: other }) =>
    other !== undefined && other === secret ? `SECRET_OTHER: must differ from ${prefix}SECRET` : null,
  ),

  conflict(['NATS_URL', 'DATABASE_URL'], ({ NATS_URL: natsUrl, DATABASE_URL: url }) =>
    natsUrl !== undefined && url === undefined
      ? `DATABASE_URL: is required with ${prefix}NATS_URL, because all processes of a cluster share it`
      : null,
  ),
  conflict(['NATS_URL', 'ROLES'], ({ NATS_URL: natsUrl, ROLES: roles }) =>
    natsUrl === undefined && (roles === 'front' || roles === 'actor')
      ? `NATS_URL: is required for the role ${roles}, which works only in a cluster`
      : null,
  ),
  ...natsOnly.map((name) =>
    conflict(['NATS_URL', name], (config) =>
      config.NATS_URL === undefined && config[name] !== undefined
        ? `${name}: has no effect without ${prefix}NATS_URL`
        : null,
    ),
  ),

  conflict(['ROLES', 'DATABASE_URL', 'MIGRATE_DATABASE_URL'], (config) =>
    config.MIGRATE_DATABASE_URL !== undefined && config.DATABASE_URL === undefined && config.ROLES !== 'migrate'
      ? `MIGRATE_DATABASE_URL: needs ${prefix}DATABASE_URL, the user that the service runs as`
      : null,
  ),
  conflict(['ROLES', 'DATABASE_URL', 'MIGRATE_DATABASE_URL', ...createdUsers], (config) =>
    config.ROLES === 'migrate' &&
    (config.DATABASE_URL ?? config.MIGRATE_DATABASE_URL) === undefined &&
    (config.FRONT_DATABASE_URL ?? config.ACTOR_DATABASE_URL) !== undefined
      ? 'DATABASE_URL: is required to create other database users'
      : null,
  ),
  ...createdUsers.flatMap((name) => [
    conflict(['ROLES', name], (config) =>
      config.ROLES !== 'migrate' && config[name] !== undefined
        ? `${name}: has an effect only for the role migrate`
        : null,
    ),
    conflict(['ROLES', 'DATABASE_URL', 'MIGRATE_DATABASE_URL', name], (config) => findOtherServer(name, config)),
  ]),
  conflict(['ROLES', ...createdUsers], ({ ROLES: roles, FRONT_DATABASE_URL: front, ACTOR_DATABASE_URL: actor }) =>
    roles === 'migrate' &&
    front !== undefined &&
    actor !== undefined &&
    readTarget(front).user === readTarget(actor).user
      ? `ACTOR_DATABASE_URL: must name another user than ${prefix}FRONT_DATABASE_URL, because each has privileges that the other must not have`
      : null,
  ),

  conflict(['INGEST_QUEUE_BYTES', 'INGEST_MAX_BODY_BYTES'], (config) =>
    config.INGEST_QUEUE_BYTES < config.INGEST_MAX_BODY_BYTES
      ? `INGEST_QUEUE_BYTES: must not be less than ${prefix}INGEST_MAX_BODY_BYTES, or the largest body could never be accepted`
      : null,
  ),
  conflict(['RETENTION_DAYS', 'INGEST_MAX_AGE_S'], ({ RETENTION_DAYS: days, INGEST_MAX_AGE_S: maxAgeS }) =>
    days !== undefined && days * 86_400 <= maxAgeS
      ? `RETENTION_DAYS: must be longer than ${prefix}INGEST_MAX_AGE_S, or new spans would be removed at once`
      : null,
  ),
  conflict(['REBUILD_FROM', 'REBUILD_TO'], ({ REBUILD_FROM: from, REBUILD_TO: to }) =>
    from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)
      ? `REBUILD_TO: must be later than ${prefix}REBUILD_FROM`
      : null,
  ),

  conflict(['SMTP_URL', 'SMTP_FROM'], ({ SMTP_URL: url, SMTP_FROM: from }) => {
    if (url === undefined) return from === undefined ? null : `SMTP_FROM: has no effect without ${prefix}SMTP_URL`
    return from === undefined ? `SMTP_FROM: is required with ${prefix}SMTP_URL` : null
  }),
  conflict(['SMTP_URL', 'PUBLIC_URL'], ({ SMTP_URL: url, PUBLIC_URL: base }) =>
    url !== undefined && base === undefined
      ? `PUBLIC_URL: is required with ${prefix}SMTP_URL, or links in mail would lead to localhost`
      : null,
  ),
]

/** A mistyped URL must not create a user on another server. */
function findOtherServer(
  name: (typeof createdUsers)[number],
  config: Pick<Settings, 'ROLES' | 'DATABASE_URL' | 'MIGRATE_DATABASE_URL' | typeof name>,
): string | null {
  const url = config[name]
  const ownerUrl = config.MIGRATE_DATABASE_URL ?? config.DATABASE_URL
  if (config.ROLES !== 'migrate' || url === undefined || ownerUrl === undefined) return null
  if (readTarget(url).server === readTarget(ownerUrl).server) return null
  const ownerName = config.MIGRATE_DATABASE_URL === undefined ? 'DATABASE_URL' : 'MIGRATE_DATABASE_URL'
  return `${name}: must have the host, port and database of ${prefix}${ownerName}`
}

/** Returns the conflicts between the valid settings, as faults without the prefix. Invalid settings are missing. */
export function findConflicts(valid: Partial<Settings>): string[] {
  return conflicts.flatMap(({ names, find }) =>
    names.every((name) => Object.hasOwn(valid, name)) ? (find(valid as Settings) ?? []) : [],
  )
}
