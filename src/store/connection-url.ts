// The URL of a database as PostgreSQL's own programs understand it.

const libpqModes = new Set(['prefer', 'require', 'verify-ca', 'verify-full'])

/**
 * node-pg reads every mode of TLS as `verify-full` unless it is told to follow libpq: `require` would refuse the certificate that a server
 * has signed for itself. What the URL itself says about that stays.
 */
export function followLibpq(url: string): string {
  const parsed = new URL(url)
  const { searchParams } = parsed
  if (!libpqModes.has(searchParams.get('sslmode') ?? '') || searchParams.has('uselibpqcompat')) return url
  searchParams.set('uselibpqcompat', 'true')
  return parsed.href
}

export type Target = { readonly user: string; readonly server: string }

/** Whom a URL names, and which database of which server. */
export function readTarget(url: string): Target {
  const { hostname, port, pathname, username, searchParams } = new URL(url)
  const host = (searchParams.get('host') ?? decodeURIComponent(hostname)).toLowerCase()
  const user = decodeURIComponent(username) || (searchParams.get('user') ?? '')
  return {
    user,
    server: `${host}:${searchParams.get('port') ?? (port || '5432')}/${decodeURIComponent(pathname.slice(1)) || user}`,
  }
}
