// Returns what would be stored of a span, for tests that look for secrets in it.
import { zstdDecompressSync } from 'node:zlib'
import { makeUuidV7 } from '../../src/base/ids.ts'
import type { ContentMode } from '../../src/redact/content-mode.ts'
import { readCopyRows } from '../_kit/copy-rows.ts'
import { decodeRequest } from '../_kit/decode.ts'
import { makeResourceSpans, type OtlpSpan } from '../_kit/spans.ts'

/** Returns everything that would be stored of a span, as text. */
export function storedOf(span: OtlpSpan, contentMode: ContentMode): string {
  const decoded = decodeRequest([makeResourceSpans({ spans: [span] })], { contentMode, workspaceId: makeUuidV7() })
  const rows = readCopyRows(decoded.rows, decoded.offsets).flat()
  const blocks = readCopyRows(decoded.blocks, decoded.blockOffsets).map((row) => zstdDecompressSync(row[3] as Buffer))
  return [...rows, ...blocks].map((part) => part?.toString('latin1') ?? '').join('\n')
}
