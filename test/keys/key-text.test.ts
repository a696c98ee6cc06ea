import test from 'ava'
import { digestKey, isKeyText, makeApiKey } from '../../src/keys/key-text.ts'

test('a key has the promised form, its prefix is the part up to the id, and its digest is SHA-256 of the whole', (t) => {
  const made = makeApiKey()
  t.regex(made.text, /^tw_sk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
  t.true(made.text.startsWith(`${made.prefix}_`))
  t.regex(made.prefix, /^tw_sk_[0-9A-Za-z]{8}$/)
  t.deepEqual(made.digest, digestKey(made.text))
  t.true(isKeyText(made.text))
})

test('no two keys share an id or a secret, and every character of the alphabet occurs', (t) => {
  const keys = Array.from({ length: 2_000 }, makeApiKey)
  t.is(new Set(keys.map(({ prefix }) => prefix)).size, 2_000)
  const counts = new Map<string, number>()
  for (const { text } of keys)
    for (const character of text.slice(15, 47)) counts.set(character, (counts.get(character) ?? 0) + 1)
  t.is(counts.size, 62)
  // 64,000 draws: some 1,032 each, with a deviation of 32.
  for (const [character, count] of counts) t.true(count > 800 && count < 1_270, `${character}: ${count}`)
})

test('the checksum detects any single changed character', (t) => {
  const { text } = makeApiKey()
  for (let at = 6; at < text.length; at += 1) {
    if (at === 14) continue
    const changed = text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1)
    t.false(isKeyText(changed), `at ${at}`)
  }
})

for (const junk of [
  '',
  'tw_sk_',
  'sk_live_123',
  'x'.repeat(8_192),
  'tw_sk_AAAAAAAA_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'eyJhbGciOiJFUzI1NiJ9.e30.x',
]) {
  test(`junk of ${junk.length} characters starting with "${junk.slice(0, 16)}" is no key`, (t) => {
    t.false(isKeyText(junk))
  })
}
