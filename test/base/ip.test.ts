import test from 'ava'
import { cutIp } from '../../src/base/ip.ts'

for (const [ip, expected] of [
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['', 'unknown'],
  ['evil', 'unknown'],
] as const) {
  test(`${ip === '' ? 'nothing' : ip} is cut to ${expected}`, (t) => {
    t.is(cutIp(ip, { v4Octets: 3, v6Groups: 3 }), expected)
  })
}

test('all addresses of a /64 are one', (t) => {
  const keep = { v4Octets: 4, v6Groups: 4 }
  t.is(cutIp('2001:db8:1:2::1', keep), cutIp('2001:db8:1:2:ffff:ffff:ffff:ffff', keep))
  t.not(cutIp('2001:db8:1:2::1', keep), cutIp('2001:db8:1:3::1', keep))
  t.is(cutIp('192.0.2.1', keep), '192.0.2.1/32')
})
