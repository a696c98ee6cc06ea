// Reads the servers, credentials and TLS files of NATS from one URL and a few files.
import { readFileSync } from 'node:fs'
import { type ConnectionOptions, credsAuthenticator } from '@nats-io/transport-node'
import { readNatsServers } from './nats-servers.ts'

export type NatsAddress = {
  /**
   * `nats://[user:password@|token@]host[:port]`; several URLs are separated by commas. `tls://` requires TLS. The first name and password
   * apply to all servers.
   */
  readonly url: string
  /** File with a JWT and its seed, as `nsc` writes it. */
  readonly credsFile?: string
  /** PEM files: the CA of the server's certificate, and the client certificate and its key if the server requires one. */
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

type Access = Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls' | 'authenticator'>

/**
 * Returns the connection options of the client. Throws if the URL is malformed, never with the URL in the message, or if a file cannot be
 * read.
 */
export function readNatsAddress(address: NatsAddress): Access {
  const urls = readNatsServers(address.url)
  if (urls === null)
    throw new Error('the NATS URL is malformed: use nats://host:port or tls://host:port, several separated by commas')
  const named = urls.find(({ username }) => username !== '')
  const files = pickFiles(address)
  const needsTls = Object.keys(files).length > 0 || urls.some(({ protocol }) => protocol === 'tls:')
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? 4222 : port}`),
    ...(named === undefined ? {} : readIdentity(named)),
    ...(needsTls ? { tls: files } : {}),
    ...(address.credsFile === undefined ? {} : { authenticator: credsAuthenticator(readFileSync(address.credsFile)) }),
  }
}

function readIdentity({ username, password }: URL): Pick<Access, 'user' | 'pass' | 'token'> {
  const user = decodeURIComponent(username)
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) }
}

function pickFiles({ caFile, certFile, keyFile }: NatsAddress) {
  return {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  }
}
