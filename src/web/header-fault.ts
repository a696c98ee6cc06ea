// Rejects requests that two programs may read differently: a proxy in front may have used another header than this service would.
import type { IncomingMessage } from 'node:http'

export type HeaderFault = { readonly status: 400 | 417 | 501; readonly detail: string }

const noHost: HeaderFault = { status: 400, detail: 'The request must have exactly one Host header' }
const twoCredentials: HeaderFault = {
  status: 400,
  detail: 'The request must not have more than one Authorization header',
}
const unknownExpectation: HeaderFault = { status: 417, detail: 'The Expect header must be 100-continue' }
const unknownCoding: HeaderFault = { status: 501, detail: 'The Transfer-Encoding header must be chunked' }

/**
 * Returns null for an unambiguous request. It must have exactly one Host, which HTTP/1.0 may omit (RFC 9112, section 3.2); at most one
 * Authorization, since Node would use the first; no expectation but 100-continue (RFC 9110, section 10.1.1); and no transfer coding other
 * than chunked, since Node would pass others on undecoded (RFC 9112, section 6.1).
 */
export function findHeaderFault({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): HeaderFault | null {
  let [hosts, credentials] = [0, 0]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
    else if (name?.length === 13 && name.toLowerCase() === 'authorization') credentials += 1
  }
  if (hosts !== 1 && (hosts !== 0 || httpVersionMinor !== 0)) return noHost
  if (credentials > 1) return twoCredentials
  if (headers.expect !== undefined && headers.expect.trim().toLowerCase() !== '100-continue') return unknownExpectation
  const coding = headers['transfer-encoding']
  return coding === undefined || coding.trim().toLowerCase() === 'chunked' ? null : unknownCoding
}
