// Reads a database URL as PostgreSQL's own programs do.

const libpqModes = new Set(['prefer', 'require', 'verify-ca', 'verify-full'])

/**
 * Makes node-pg follow libpq. By default node-pg treats every TLS mode as `verify-full`, so `require` would refuse a self-signed
 * certificate of the server. A URL that sets `uselibpqcompat` itself is returned unchanged.
 */
export function followLibpq(url: string): string {
  const parsed = new URL(url)
  const { searchParams } = parsed
  if (!libpqModes.has(searchParams.get('sslmode') ?? '') || searchParams.has('uselibpqcompat')) return url
  searchParams.set('uselibpqcompat', 'true')
  return parsed.href
}

/** Returns the URL without the files of a client certificate, which only the process that connects with it can read. */
export function dropCertificate(url: string): string {
  const parsed = new URL(url)
  const { searchParams } = parsed
  if (!searchParams.has('sslcert') && !searchParams.has('sslkey')) return url
  searchParams.delete('sslcert')
  searchParams.delete('sslkey')
  return parsed.href
}

export type Target = { readonly user: string; readonly server: string }

/** Returns the user that a URL names, and the server with the database that it points to. */
export function readTarget(url: string): Target {
  const { hostname, port, pathname, username, searchParams } = new URL(url)
  const host = (searchParams.get('host') ?? decodeURIComponent(hostname)).toLowerCase()
  const user = decodeURIComponent(username) || (searchParams.get('user') ?? '')
  return {
    user,
    server: `${host}:${searchParams.get('port') ?? (port || '5432')}/${decodeURIComponent(pathname.slice(1)) || user}`,
  }
}
