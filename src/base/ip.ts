// Floor 0. Client addresses cut down to a prefix: for limits a whole household counts as one, and a log names nobody.
import { isIP } from 'node:net'

/** The first `v4Octets` or `v6Groups` of an address, as text with its prefix length; "unknown" for what is none. */
export function cutIp(ip: string, keep: { readonly v4Octets: number; readonly v6Groups: number }): string {
  const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
  if (isIP(address) === 4) {
    const octets = address.split('.').slice(0, keep.v4Octets)
    return `${[...octets, '0', '0', '0', '0'].slice(0, 4).join('.')}/${keep.v4Octets * 8}`
  }
  if (isIP(address) !== 6) return 'unknown'
  const groups = expand(address.replace(/%.*$/, '')).slice(0, keep.v6Groups)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${keep.v6Groups * 16}`
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  if (tail === undefined) return left
  const right = tail === '' ? [] : tail.split(':')
  return [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
}
