// Keeps the host of the server that was called in addresses and URLs: the IP address of a provider or gateway identifies no person.
import { isIP } from 'node:net'
import type { Redactor } from './redactor.ts'

const addresses: ReadonlySet<string> = new Set(['server.address'])
const urls: ReadonlySet<string> = new Set(['url.full', 'http.url'])

/** Scheme, user information, host and port, followed by the path, the query or the fragment. */
const authority =
  /^([a-z][a-z\d+.-]{0,30}:\/\/)([^/?#\s\\]*@)?(\[[\da-f:.]{2,45}\]|[^/?#\s\\:@[\]]{1,253})(:\d{1,5})?(?=[/?#]|$)/i

/**
 * Returns the redactor for the attributes of a span that calls a server. A host that is an IP address is kept. The user information of URLs
 * is replaced whole; paths and queries are redacted as usual. All other attributes are redacted as by `redactor`.
 */
export function keepHosts(redactor: Redactor): Redactor {
  const hide = (secret: string): string => String(redactor.member('password', secret).value)
  const redactHost = (host: string): string =>
    isIP(host.replace(/^\[(.*)\]$/, '$1')) > 0 ? host : redactor.text(host).text

  function redactUrl(url: string): string | null {
    const parts = authority.exec(url)
    // A URL in which nothing is found stays as it is, so the result does not depend on an earlier check that finds nothing either.
    if (parts === null || !redactor.text(url).changed) return null
    const [whole, scheme = '', user = '', host = '', port = ''] = parts
    const credentials = user.length > 1 ? `${hide(user.slice(0, -1))}@` : user
    return scheme + credentials + redactHost(host) + port + redactor.text(url.slice(whole.length)).text
  }

  function redactOwn(name: string, value: unknown): string | null {
    if (typeof value !== 'string') return null
    // Semantic Kernel and Microsoft's Agent Framework write the URL of the provider as its address.
    if (addresses.has(name)) return redactUrl(value) ?? redactHost(value)
    return urls.has(name) ? redactUrl(value) : null
  }

  return {
    ...redactor,
    member(name, value) {
      const own = redactOwn(name, value)
      return own === null ? redactor.member(name, value) : { name, value: own, changed: own !== value }
    },
  }
}
