import test, { type ExecutionContext } from 'ava'
import { openPassLoop, type PassLoop } from '../../src/base/pass-loop.ts'

type Passes = {
  readonly loop: PassLoop
  readonly errors: unknown[]
  /** How many passes have begun. */
  readonly begun: () => number
  /** Ends the pass that runs. */
  readonly end: (error?: Error) => void
}

function open(t: ExecutionContext): Passes {
  const errors: unknown[] = []
  let begun = 0
  let now = Promise.withResolvers<void>()
  const loop = openPassLoop({
    tickMs: 3_600_000,
    stopping: new AbortController(),
    run: async () => {
      begun += 1
      await now.promise
    },
    onError: (error) => void errors.push(error),
  })
  const end = (failure?: Error): void => {
    const ended = now
    now = Promise.withResolvers()
    if (failure === undefined) ended.resolve()
    else ended.reject(failure)
  }
  t.teardown(async () => {
    const stopped = loop.stop()
    end()
    await stopped
  })
  return { loop, errors, begun: () => begun, end }
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done))

test('a call waits for a pass that begins after it, and calls meanwhile share one pass', async (t) => {
  const { loop, begun, end } = open(t)
  t.is(begun(), 1, 'the first pass begins at once')
  let ended = 0
  const calls = [loop.pass(), loop.pass()].map(async (pass) => {
    await pass
    ended += 1
  })
  end()
  await turn()
  t.deepEqual([begun(), ended], [2, 0])
  end()
  await Promise.all(calls)
  t.is(begun(), 2)
})

test('a pass that fails is reported, and the next one runs', async (t) => {
  const { loop, begun, end, errors } = open(t)
  const call = loop.pass()
  const error = new Error('failed')
  end(error)
  await turn()
  end()
  await call
  t.deepEqual(errors, [error])
  t.is(begun(), 2)
})

test('stopping waits for the pass that runs, and no other one begins', async (t) => {
  const { loop, begun, end } = open(t)
  void loop.pass()
  let isStopped = false
  const stopping = loop.stop().then(() => (isStopped = true))
  await turn()
  t.false(isStopped)
  end()
  await stopping
  await loop.pass()
  t.is(begun(), 1)
})
