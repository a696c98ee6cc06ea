// node test/bench/decode.ts: what a decode thread does with a request, without threads, HTTP and database.

import { openBatchDecoder } from '../../src/decode/decode-batch.ts'
import { walkRequest } from '../../src/otlp/decode-request.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { openTally } from '../../src/otlp/intake/rejection-tally.ts'
import { openPriceBook } from '../../src/pricing/price-book.ts'
import { sharePrices } from '../../src/pricing/shared-prices.ts'
import { median, report } from './_report.ts'
import { type BenchBatch, makeBatches, spansInBatch } from './_spans.ts'

const batches = makeBatches(10)
const rounds = 5
const decodeBatch = openBatchDecoder(openPriceBook())
const limits = defaultIngestLimits

const rowOf = (model: string) => ({
  model,
  provider: null,
  input_usd_per_m: 1,
  output_usd_per_m: 2,
  cached_usd_per_m: null,
  cache_write_usd_per_m: null,
  valid_from: null,
})
/** As many rows as a workspace may have; the last one matches every call. */
const prices = sharePrices({
  revision: 'bench',
  prices: [...Array.from({ length: 499 }, (_, at) => rowOf(`*own-${at}*`)), rowOf('*')],
})

const common = { gzip: true, nowMs: Date.now(), limits } as const
const ways: readonly (readonly [string, (body: Uint8Array) => boolean])[] = [
  [
    'gunzip and read the wire',
    (body) => walkRequest({ ...common, body, contentType: 'protobuf' }, openTally(), () => undefined).ok,
  ],
  ...(
    [
      ['full', null, ''],
      ['redacted', null, ''],
      ['redacted', prices, ', 500 prices of the workspace'],
    ] as const
  ).map(
    ([contentMode, prices, more]) =>
      [
        `all of it, content ${contentMode}${more}`,
        (body: Uint8Array) =>
          decodeBatch({
            ...common,
            body,
            encoding: 'protobuf',
            workspaceId: '01890000-0000-7000-8000-000000000001',
            contentMode,
            redactionSecret: new Uint8Array(32),
            prices,
          }).ok,
      ] as const,
  ),
]

/** Returns µs for each span over all batches. */
function run(decode: (body: Uint8Array) => boolean): number {
  const startedAtMs = performance.now()
  for (const { body } of batches as readonly BenchBatch[]) {
    if (!decode(body)) throw new Error('a batch was refused')
  }
  return ((performance.now() - startedAtMs) * 1_000) / (batches.length * spansInBatch)
}

const runs = new Map<string, number[]>(ways.map(([name]) => [name, []]))
for (const [, decode] of ways) for (let warm = 0; warm < 2; warm += 1) run(decode)
for (let round = 0; round < rounds; round += 1) for (const [name, decode] of ways) runs.get(name)?.push(run(decode))

report(
  'decode',
  { spans: batches.length * spansInBatch, rounds },
  ways.map(([name]) => ({ name, value: median(runs.get(name) ?? []), unit: 'µs/span', runs: runs.get(name) ?? [] })),
)
