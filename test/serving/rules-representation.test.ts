import { gunzipSync } from 'node:zlib'
import test from 'ava'
import { makeServedRules } from '../../src/serving/rules-representation.ts'
import { isHeld, select } from '../../src/web/representation.ts'

const text = JSON.stringify({ version: 'mark.3', rules: Array.from({ length: 50 }, () => ({ tool_name: 'search' })) })

test('each encoding has its own strong entity tag, and both have the same content', async (t) => {
  const { plain, gzip } = await makeServedRules({ version: 'mark.3', text })
  if (gzip === null) return t.fail()
  t.is(gunzipSync(gzip.body).toString(), text)
  t.is(plain.body.toString(), text)
  t.not(plain.etag, gzip.etag)
  for (const { etag } of [plain, gzip]) t.regex(etag, /^"mark\.3-[\w-]+"$/)
  t.is(gzip.fullHeaders['Content-Encoding'], 'gzip')
  t.is(gzip.fullHeaders['Content-Length'], String(gzip.body.length))
  t.is(plain.fullHeaders['Vary'], 'Accept-Encoding')
})

test('the tag follows the bytes: the same in every process, another when they differ', async (t) => {
  const one = await makeServedRules({ version: 'mark.3', text })
  t.is((await makeServedRules({ version: 'mark.3', text })).plain.etag, one.plain.etag)
  t.not((await makeServedRules({ version: 'mark.3', text: `${text} ` })).plain.etag, one.plain.etag)
})

test('a body that compression would enlarge is sent only uncompressed', async (t) => {
  t.is((await makeServedRules({ version: '0.0', text: '{}' })).gzip, null)
})

test('gzip is used if the client names it with a weight above 0', async (t) => {
  const rules = await makeServedRules({ version: 'mark.3', text })
  for (const header of [
    'gzip',
    'br, gzip, deflate',
    'gzip, deflate',
    'GZIP;q=0.5',
    'br;q=1.0,gzip ; q=0.8',
    'x-gzip',
  ]) {
    t.is(select(rules, header), rules.gzip ?? rules.plain, header)
  }
  for (const header of [undefined, '', 'identity', 'gzip;q=0', 'br, gzip;q=0.0', 'notgzip', 'gzipped']) {
    t.is(select(rules, header), rules.plain, header)
  }
})

test('If-None-Match matches by weak comparison, in lists and as a star, and never across encodings', async (t) => {
  const { plain, gzip } = await makeServedRules({ version: 'mark.3', text })
  for (const header of [plain.etag, `W/${plain.etag}`, `"a", ${plain.etag} ,"b"`, '*', ' * '])
    t.true(isHeld(header, plain), header)
  for (const header of [undefined, '', '"a"', plain.etag.slice(1, -1), gzip?.etag])
    t.false(isHeld(header, plain), header)
})
