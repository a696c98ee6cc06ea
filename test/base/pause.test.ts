import test from 'ava'
import { pause } from '../../src/base/pause.ts'

test('a pause ends after its time, or at once if its signal aborts or has aborted', async (t) => {
  const startedAtMs = performance.now()
  await pause(20, new AbortController().signal)
  // Timers may fire a little early.
  t.true(performance.now() - startedAtMs >= 18)
  const stopping = new AbortController()
  const long = pause(3_600_000, stopping.signal)
  stopping.abort()
  await t.notThrowsAsync(long)
  await t.notThrowsAsync(pause(3_600_000, stopping.signal))
})
