// Client addresses: read as proxies write them, and cut down to a prefix: for limits a whole household counts as one, and a log
// names nobody.
import { isIP } from 'node:net'

/** What stands for a prefix where the client's address is unknown. */
export const unknownIp = 'unknown'

/** The address alone of an X-Forwarded-For entry, which some proxies write with a port: `192.0.2.1:80`, `[2001:db8::1]:80`. */
export function readForwardedIp(entry: string): string {
  const [, v6, v4] = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(entry.trim()) ?? []
  return v6 ?? v4 ?? entry
}

/** The first `v4Octets` or `v6Groups` of an address, as canonical text (RFC 5952) with its prefix length; "unknown" for what is none. */
export function cutIp(ip: string, keep: { readonly v4Octets: number; readonly v6Groups: number }): string {
  const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
  if (isIP(address) === 4) {
    const octets = address.split('.').slice(0, keep.v4Octets)
    return `${[...octets, '0', '0', '0', '0'].slice(0, 4).join('.')}/${keep.v4Octets * 8}`
  }
  if (isIP(address) !== 6) return unknownIp
  const groups = expand(address.replace(/%.*$/, '')).slice(0, keep.v6Groups)
  const text = groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
  // Half of the address at least is cut off: no zeros within the prefix are a longer run than those at its end.
  return `${text.replace(/(^|:)0(:0)*$/, '')}::/${keep.v6Groups * 16}`
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  if (tail === undefined) return left
  const right = tail === '' ? [] : tail.split(':')
  return [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
}
