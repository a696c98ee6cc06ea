// Client addresses: reads them as proxies write them, and cuts them down to a prefix, so that limits count a whole household as one
// client and logs identify no person.
import { isIP } from 'node:net'

/** The prefix of an unknown client address. */
export const unknownIp = 'unknown'

/** Returns the address of an X-Forwarded-For entry without the port that some proxies add: `192.0.2.1:80`, `[2001:db8::1]:80`. */
export function readForwardedIp(entry: string): string {
  const [, v6, v4] = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(entry.trim()) ?? []
  return v6 ?? v4 ?? entry
}

/**
 * Returns the first `v4Octets` or `v6Groups` of an address, as canonical text (RFC 5952) with its prefix length; `unknownIp` for a text that
 * is no address.
 */
export function cutIp(ip: string, keep: { readonly v4Octets: number; readonly v6Groups: number }): string {
  const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
  if (isIP(address) === 4) {
    const octets = address.split('.').slice(0, keep.v4Octets)
    return `${[...octets, '0', '0', '0', '0'].slice(0, 4).join('.')}/${keep.v4Octets * 8}`
  }
  if (isIP(address) !== 6) return unknownIp
  const groups = expand(address.replace(/%.*$/, '')).slice(0, keep.v6Groups)
  const text = groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
  // At least half of the address is cut off, so no run of zeros within the prefix is longer than the run at the end: "::" goes there.
  return `${text.replace(/(^|:)0(:0)*$/, '')}::/${keep.v6Groups * 16}`
}

/** The addresses that a client has at least: an IPv4 address, or a /64 of IPv6. `unknownIp` for a text that is no address. */
export const clientPrefixOf = (ip: string): string => cutIp(ip, { v4Octets: 4, v6Groups: 4 })

/** What a /48 of IPv6 may hold of a limit by address, in addresses. */
export const addressesOfSite = 2

/**
 * The addresses that a client has at most: an IPv4 address, or a /48 of IPv6, which providers give away, with 65,536 of /64, to a single client.
 * `unknownIp` for a text that is no address.
 */
export const widestPrefixOf = (ip: string): string => cutIp(ip, { v4Octets: 4, v6Groups: 3 })

/** The /48 of an IPv6 address. Null for any other text. */
export function sitePrefixOf(ip: string): string | null {
  const prefix = widestPrefixOf(ip)
  return prefix.endsWith('/48') ? prefix : null
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  if (tail === undefined) return left
  const right = tail === '' ? [] : tail.split(':')
  return [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
}
