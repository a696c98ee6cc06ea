import { createHmac } from 'node:crypto'
import test from 'ava'
import { openKeyedHash } from '../../src/redact/keyed-hash.ts'

test('a keyed hash is the HMAC-SHA-256 of the text in UTF-8, for keys and texts of any length', (t) => {
  for (const bytes of [16, 32, 63, 64, 65, 200]) {
    const secret = new Uint8Array(bytes).map((_, at) => at * 7)
    const keyedHash = openKeyedHash(secret)
    for (const text of [
      '',
      'a',
      'ada@example.com',
      '漢字 é 😀',
      'x\ud800y',
      'é'.repeat(1_365),
      'é'.repeat(1_366),
      'b'.repeat(70_000),
      'a',
    ]) {
      t.is(keyedHash(text), createHmac('sha256', secret).update(text).digest('hex'), `${bytes} ${text.slice(0, 20)}`)
    }
  }
})
