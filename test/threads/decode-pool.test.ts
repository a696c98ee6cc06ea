import type { Worker } from 'node:worker_threads'
import test from 'ava'
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
