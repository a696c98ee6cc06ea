import type { Worker } from 'node:worker_threads'
import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import type { DecodeTask } from '../../src/decode/decode-task.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { openDecodePool } from '../../src/threads/decode-pool.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'

const taskOf = (workspaceId: string): DecodeTask => ({
  body: new Uint8Array(encodeRequest(makeTraceSpans(3))),
  encoding: 'protobuf',
  gzip: false,
  nowMs: Date.now(),
  limits: defaultIngestLimits,
  workspaceId,
  contentMode: 'redacted',
  redactionSecret: new Uint8Array(32),
  prices: null,
})

/** Returns the order in which one thread decodes the requests of these workspaces, all sent at once. */
async function decodeAll(workspaces: readonly string[]): Promise<string[]> {
  const pool = openDecodePool({ threads: 1, maxQueue: 100, maxWaitMs: 60_000, onError: () => undefined })
  const done: string[] = []
  const decode = async (workspaceId: string): Promise<void> => {
    const decoded = await pool.decode(taskOf(workspaceId))
    if (!decoded.ok) throw new Error(decoded.detail)
    done.push(workspaceId)
  }
  await Promise.all(workspaces.map(decode))
  await pool.stop()
  return done
}

test.serial('the request of a workspace does not wait behind all those that another one sent before', async (t) => {
  const [many, other] = [makeUuidV7(), makeUuidV7()]
  t.deepEqual(await decodeAll([many, many, many, many, other]), [many, other, many, many, many])
})

test.serial('the control: the last request of one workspace is decoded last', async (t) => {
  const one = makeUuidV7()
  t.deepEqual(await decodeAll([one, one, one]), [one, one, one])
})

test.serial('the body of a waiting task may be cut, and is kept once its decoding begins', async (t) => {
  const pool = openDecodePool({ threads: 1, maxQueue: 10, maxWaitMs: 60_000, onError: () => undefined })
  t.teardown(pool.stop)
  const holdOf = () => {
    const cut = new AbortController()
    const seen = { kept: 0 }
    return { cut, seen, hold: { cut: cut.signal, keep: () => void (seen.kept += 1), release: () => undefined } }
  }
  const [running, waiting] = [holdOf(), holdOf()]
  const first = pool.decode(taskOf(makeUuidV7()), running.hold)
  const second = pool.decode(taskOf(makeUuidV7()), waiting.hold)
  t.deepEqual([running.seen.kept, waiting.seen.kept, pool.queued()], [1, 0, 1])
  const why = new Outage('limit', 'cut')
  for (const { cut } of [running, waiting]) cut.abort(why)
  t.is(await t.throwsAsync(second), why)
  t.true((await first).ok)
  t.deepEqual([waiting.seen.kept, pool.queued()], [0, 0])
})

test.serial('a thread that fails without a task is reported, and the pool decodes on', async (t) => {
  const workers: Worker[] = []
  const note = (worker: Worker): void => void workers.push(worker)
  process.on('worker', note)
  t.teardown(() => void process.off('worker', note))
  const errors: unknown[] = []
  const pool = openDecodePool({ threads: 1, maxQueue: 10, maxWaitMs: 60_000, onError: (error) => errors.push(error) })
  t.teardown(pool.stop)
  t.true((await pool.decode(taskOf(makeUuidV7()))).ok)
  // As Node does if the thread runs out of memory.
  const error = new Error('out of memory')
  workers[0]?.emit('error', error)
  t.deepEqual(errors, [error])
  t.true((await pool.decode(taskOf(makeUuidV7()))).ok)
  t.true(workers.length > 1)
})
