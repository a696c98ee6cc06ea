// Decodes a request as a decode thread does.

import { openBatchDecoder } from '../../src/decode/decode-batch.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { openPriceBook, type PriceBook } from '../../src/pricing/price-book.ts'
import type { ContentMode } from '../../src/redact/content-mode.ts'
import { encodeRequest, type makeResourceSpans } from './spans.ts'

export type DecodeOptions = {
  readonly workspaceId: string
  readonly contentMode: ContentMode
  /** Default: the published prices. */
  readonly prices?: PriceBook
}

/** Decodes the spans as protobuf, with the default limits. Throws where the request is refused as a whole. */
export function decodeRequest(
  resourceSpans: readonly ReturnType<typeof makeResourceSpans>[],
  { workspaceId, contentMode, prices = openPriceBook() }: DecodeOptions,
) {
  const decoded = openBatchDecoder(prices)({
    body: encodeRequest([...resourceSpans]),
    encoding: 'protobuf',
    gzip: false,
    nowMs: Date.now(),
    limits: defaultIngestLimits,
    workspaceId,
    contentMode,
    redactionSecret: new Uint8Array(32).fill(7),
    prices: null,
  })
  if (!decoded.ok) throw new Error(decoded.detail)
  return decoded
}
