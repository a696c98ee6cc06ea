import { gzipSync, zstdDecompressSync } from 'node:zlib'
import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { openBatchDecoder } from '../../src/decode/decode-batch.ts'
import type { DecodeResult } from '../../src/decode/decode-task.ts'
import { eventColumnNames } from '../../src/encode/row.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { openPriceBook } from '../../src/pricing/price-book.ts'
import { maxWork } from '../../src/redact/work-budget.ts'
import { readCopyRows } from '../_kit/copy-rows.ts'
import { encodeRequest, makeResourceSpans, makeSpan, type OtlpSpan } from '../_kit/spans.ts'

const decodeBatch = openBatchDecoder(openPriceBook())
const flagsPlace = eventColumnNames.indexOf('flags')
const mail = 'ada@example.com'
const long = `${mail} ${'the fox '.repeat(32_000)}`
/** More text than one request may have redacted. */
const flood = (): OtlpSpan[] => Array.from({ length: 140 }, () => makeSpan({ attributes: { 'input.value': long } }))
const ordinary = (): OtlpSpan => makeSpan({ attributes: { 'input.value': `short, ${mail}`, note: 'the fox' } })

function decode(
  spans: readonly OtlpSpan[],
  encoding: 'protobuf' | 'json' = 'protobuf',
): DecodeResult & { readonly ok: true } {
  const decoded = decodeBatch({
    body: gzipSync(encodeRequest([makeResourceSpans({ spans })], encoding), { level: 1 }),
    encoding,
    gzip: true,
    nowMs: Date.now(),
    limits: defaultIngestLimits,
    workspaceId: makeUuidV7(),
    contentMode: 'redacted',
    redactionSecret: new Uint8Array(32).fill(7),
    prices: null,
  })
  if (!decoded.ok) throw new Error(decoded.detail)
  return decoded
}

/** Returns the stored data as one text, and the number of rows with the flag. */
function look(decoded: DecodeResult & { readonly ok: true }): { readonly stored: string; readonly flagged: number } {
  const blocks = readCopyRows(decoded.blocks, decoded.blockOffsets)
  const rows = readCopyRows(decoded.rows, decoded.offsets)
  return {
    stored: blocks.map((row) => zstdDecompressSync(row[3] as Buffer).toString('latin1')).join(''),
    flagged: rows.filter((row) => (row[flagsPlace] as Buffer).includes('content_withheld')).length,
  }
}

test('content beyond what one request may have redacted is withheld, flagged and counted; every span is stored', (t) => {
  const decoded = decode(flood())
  const { stored, flagged } = look(decoded)
  t.is(decoded.offsets.length - 1, 140)
  t.is(decoded.rejections.total, 0)
  t.false(stored.includes(mail))
  t.true(stored.includes('[redacted:unscanned]'))
  t.true(stored.includes('[redacted:email:'))
  t.true(flagged > 0 && flagged < 70, `${flagged} spans are flagged`)
  t.is(decoded.withheldSpans, flagged)
})

test('text without a sign of a secret uses up nothing, in JSON no more than in protobuf', (t) => {
  const clean = JSON.stringify(Array.from({ length: 8_000 }, (_, nth) => `the fox number ${nth % 90}`))
  const count = Math.ceil(maxWork / clean.length) + 1
  const spans = Array.from({ length: count }, () => makeSpan({ attributes: { 'input.value': clean } }))
  for (const encoding of ['protobuf', 'json'] as const) t.is(decode(spans, encoding).withheldSpans, 0, encoding)
})

test('the next request is not affected, and an ordinary one has nothing withheld', (t) => {
  const decoded = decode([ordinary()])
  const { stored, flagged } = look(decoded)
  t.deepEqual([decoded.withheldSpans, flagged], [0, 0])
  t.true(stored.includes('short, [redacted:email:') && stored.includes('the fox'))
})
