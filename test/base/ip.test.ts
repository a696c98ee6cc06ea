import test from 'ava'
import { cutIp, readForwardedIp } from '../../src/base/ip.ts'

for (const [ip, expected] of [
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8::1', '2001:db8::/48'],
  ['2001:0:0:1::1', '2001::/48'],
  ['0:0:7::1', '0:0:7::/48'],
  ['2001:db0:10::1', '2001:db0:10::/48'],
  ['::1', '::/48'],
  ['fe80::1%eth0', 'fe80::/48'],
  ['', 'unknown'],
  ['evil', 'unknown'],
] as const) {
  test(`${ip === '' ? 'nothing' : ip} is cut to ${expected}`, (t) => {
    t.is(cutIp(ip, { v4Octets: 3, v6Groups: 3 }), expected)
  })
}

test('all addresses of a /64 count as one', (t) => {
  const keep = { v4Octets: 4, v6Groups: 4 }
  t.is(cutIp('2001:db8:1:2::1', keep), cutIp('2001:db8:1:2:ffff:ffff:ffff:ffff', keep))
  t.not(cutIp('2001:db8:1:2::1', keep), cutIp('2001:db8:1:3::1', keep))
  t.is(cutIp('192.0.2.1', keep), '192.0.2.1/32')
})

for (const [entry, expected] of [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:5700', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[evil]:443', 'evil'],
  ['203.0.113.7:evil', '203.0.113.7:evil'],
] as const) {
  test(`${entry} in X-Forwarded-For is ${expected}`, (t) => {
    t.is(readForwardedIp(entry), expected)
  })
}
