// Floor 2. The Host header: exactly one (RFC 9112 section 3.2). Of two, a proxy may go by one and the service by the other.
import type { IncomingMessage } from 'node:http'

/** HTTP/1.0 needs none. */
export function isHostClear({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0)
}
