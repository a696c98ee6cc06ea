import test from 'ava'
import { clientPrefixOf, cutIp, readForwardedIp, sitePrefixOf, widestPrefixOf } from '../../src/base/ip.ts'

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
  t.is(clientPrefixOf('2001:db8:1:2::1'), clientPrefixOf('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  t.not(clientPrefixOf('2001:db8:1:2::1'), clientPrefixOf('2001:db8:1:3::1'))
  t.is(clientPrefixOf('192.0.2.1'), '192.0.2.1/32')
})

test('the widest prefix of a client is an IPv4 address or an IPv6 /48', (t) => {
  t.is(widestPrefixOf('192.0.2.1'), '192.0.2.1/32')
  t.is(widestPrefixOf('2001:db8:1:2::1'), '2001:db8:1::/48')
  t.is(widestPrefixOf('evil'), 'unknown')
})

test('only IPv6 addresses have a /48', (t) => {
  t.is(sitePrefixOf('2001:db8:1:2::1'), '2001:db8:1::/48')
  for (const ip of ['192.0.2.1', '::ffff:192.0.2.1', '', 'evil']) t.is(sitePrefixOf(ip), null, ip)
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
