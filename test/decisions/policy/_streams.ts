// Streams of executions for property tests: few inputs, few contents, calls that overlap, errors, results without a hash.
import fc from 'fast-check'
import type { Execution } from '../../../src/decisions/gate/replay.ts'

export const epochUs = Date.UTC(2026, 0, 1) * 1_000

/** Gaps between starts, and durations, in the ranges that matter to rungs of 10 s and 1 min. */
const gapMs = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 70_000 }))
const durationMs = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 20_000 }))

const step = fc.record({
  gapMs,
  durationMs,
  input: fc.constantFrom('a', 'b', 'c'),
  // Mostly the usual content.
  content: fc.constantFrom('1', '1', '1', '1', '1', '1', '1', '1', '2', null),
  fails: fc.integer({ min: 0, max: 19 }).map((drawn) => drawn === 0),
  spanId: fc.stringMatching(/^[0-9a-f]{16}$/),
})

/** Ordered by start. `overlapping` false: each execution starts when the previous one has ended. */
export const streams = (overlapping: boolean, maxLength = 120): fc.Arbitrary<Execution[]> =>
  fc.array(step, { maxLength, size: 'max' }).map((steps) => {
    let atUs = epochUs
    return steps.map(({ gapMs, durationMs, input, content, fails, spanId }, nth) => {
      atUs += gapMs * 1_000
      const startUs = atUs
      const endUs = startUs + durationMs * 1_000
      if (!overlapping) atUs = endUs
      // Numbered, so that no two are the same.
      // Serving executes only the holdout of the calls that it could answer.
      const ids = {
        isHeldOut: true,
        traceId: '0'.repeat(32),
        spanId: nth.toString(16).padStart(4, '0') + spanId.slice(4),
      }
      return { startUs, endUs, inputHash: input, contentHash: fails ? null : content, isError: fails, ...ids }
    })
  })
