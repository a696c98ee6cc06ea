import { argon2Sync } from 'node:crypto'
import test from 'ava'
import { endings, isKnownPassword, words } from '../../src/accounts/password/blocklist.ts'
import { findPasswordFault } from '../../src/accounts/password/check.ts'
import { hashCostOf, hashesAtOnce, makePasswordHasher } from '../../src/accounts/password/hash.ts'
import { Outage } from '../../src/base/fault.ts'
import { readConfig } from '../../src/config.ts'
import { cheapHash } from '../_kit/people.ts'

test('each common word is refused with each common prefix and suffix, and with each other common word: over 3,000 passwords of sufficient length', (t) => {
  let known = 0
  for (const word of words)
    for (const text of [...endings, ...words].flatMap((other) => [word + other, other + word])) {
      if (text.length < 12) continue
      known += 1
      if (!isKnownPassword(text) || text !== text.toLowerCase()) t.fail(text)
    }
  t.true(known >= 3_000, `${known}`)
})

const context = { email: 'grace.hopper@example.test', words: ['Grace', 'Compilers & Sons'] }

for (const password of [
  'password1234',
  'PassWord1234',
  'qwertyuiop[]',
  '1qaz2wzaq12w',
  '1qaz2wsx3edc',
  'letmein12345',
  'sunshinemonkey',
  'aaaaaaaaaaaaaaaa',
  'abcabcabcabcabc',
  '123412341234',
  'abcdefghijklm',
  'zyxwvutsrqpon',
  'grace.hopper1',
  'Hopper-Grace-1',
  'compilers&sons12',
  'tracewright!!1',
  'correcthorsebatterystaple',
]) {
  test(`the password ${password} is refused`, (t) => {
    t.is(typeof findPasswordFault(password, context), 'string')
  })
}

for (const password of [
  'plum tractor elevenths',
  'grace is what the tractor lacks',
  'pässwörter überall',
  '🐘🐘🌵🚲🍉🧭🪁',
  'zxmq-ptlw-rrvd',
]) {
  test(`the password ${password} is accepted: there is no rule about kinds of characters`, (t) => {
    t.is(findPasswordFault(password, context), null)
  })
}

test('a hash is argon2id with its parameters, and another library computes the same tag', async (t) => {
  const phc = await makePasswordHasher(cheapHash).hash('plum tractor elevenths')
  const [, algorithm, version, parameters, salt, tag] = phc.split('$')
  t.deepEqual([algorithm, version, parameters], ['argon2id', 'v=19', 'm=64,t=1,p=1'])
  const nonce = Buffer.from(salt ?? '', 'base64')
  t.is(nonce.byteLength, 16)
  const expected = argon2Sync('argon2id', {
    message: 'plum tractor elevenths',
    nonce,
    parallelism: 1,
    memory: 64,
    passes: 1,
    tagLength: 32,
  })
  t.is(tag, expected.toString('base64').replace(/=+$/, ''))
})

test('the default cost is 64 MiB and three passes, and no setting goes below what OWASP asks for', (t) => {
  const { PASSWORD_HASH_MEMORY_MIB: memoryMib } = readConfig({})
  t.deepEqual(hashCostOf(memoryMib), { memoryKib: 65_536, passes: 3, parallelism: 1 })
  t.throws(() => readConfig({ TRACEWRIGHT_PASSWORD_HASH_MEMORY_MIB: '18' }), { message: /PASSWORD_HASH_MEMORY_MIB/ })
})

test('verifying accepts the right password, and refuses a wrong one and that of an unknown user', async (t) => {
  const hasher = makePasswordHasher(cheapHash)
  const phc = await hasher.hash('plum tractor elevenths')
  t.deepEqual(await hasher.verify('plum tractor elevenths', phc), { matches: true, stale: false })
  t.deepEqual(await hasher.verify('plum tractor eleventh', phc), { matches: false, stale: false })
  t.false((await hasher.verify('plum tractor elevenths', cheapHash)).matches)
})

test('hashing leaves one core free and uses four at most', (t) => {
  t.deepEqual(
    [1, 2, 3, 5, 64].map((cores) => hashesAtOnce(cores)),
    [1, 1, 2, 4, 4],
  )
})

test('four hashes run, thirty-two wait, and further requests are refused with a retry time', async (t) => {
  const hasher = makePasswordHasher({ ...cheapHash, memoryKib: 4_096, passes: 2 }, 4)
  const results = await Promise.allSettled(
    Array.from({ length: 46 }, async () => await hasher.hash('plum tractor elevenths')),
  )
  const refused = results.filter((result) => result.status === 'rejected')
  t.is(refused.length, 10)
  t.true(refused.every(({ reason }) => reason instanceof Outage && reason.status === 503))
})
