import test, { type ExecutionContext } from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { type FairTurnsOptions, makeFairTurns } from '../../src/threads/fair-turns.ts'

const roomy = { maxWaiting: 100, maxWaitMs: 60_000 }

/** Opens turns on a clock of the test, whose work ends when the test says so, or at the latest with the test. */
function openTurns(t: ExecutionContext, options: Partial<FairTurnsOptions> & { readonly slots: number }) {
  let nowMs = 1_000_000
  const turns = makeFairTurns({ ...roomy, clock: { now: () => nowMs }, ...options })
  const running: { readonly name: string; readonly end: (costMs: number) => void }[] = []
  const settle = async (): Promise<void> => await new Promise((done) => setImmediate(done))
  const ask = (owner: string, name = owner): Promise<void> =>
    turns
      .run(
        owner,
        () => new Promise<number>((end) => running.push({ name, end })),
        (costMs) => costMs,
      )
      .then(() => undefined)

  /** Advances the time, and then ends the oldest work of this name, which by default cost all of that time. */
  async function finish(name: string, tookMs = 1, costMs = tookMs): Promise<void> {
    nowMs += tookMs
    const at = running.findIndex((work) => work.name === name)
    running.splice(at, 1)[0]?.end(costMs)
    await settle()
  }

  /** Runs one work of the owner alone, from its beginning to its end. */
  async function work(owner: string, tookMs: number, costMs = tookMs): Promise<void> {
    const asked = ask(owner)
    await settle()
    await finish(owner, tookMs, costMs)
    await asked
  }

  /** Advances the time without ending work. */
  const pass = (ms: number): void => void (nowMs += ms)

  // A waiting work would keep the test running for its whole time limit.
  t.teardown(async () => {
    for (let name = running[0]?.name; name !== undefined; name = running[0]?.name) await finish(name)
  })
  return { turns, ask, finish, work, pass, settle, names: () => running.map(({ name }) => name) }
}

const ignore = (asked: Promise<unknown>): void => void asked.catch(() => undefined)

test('owners take turns: many callers of one wait behind each other, not before another one', async (t) => {
  const { ask, finish, settle, names } = openTurns(t, { slots: 1 })
  for (const nth of [1, 2, 3, 4]) ignore(ask('many', `many ${nth}`))
  ignore(ask('other', 'other 1'))
  ignore(ask('other', 'other 2'))
  await settle()
  const order: string[] = []
  for (let [name] = names(); name !== undefined; [name] = names()) {
    order.push(name)
    await finish(name)
  }
  t.deepEqual(order, ['many 1', 'other 1', 'many 2', 'other 2', 'many 3', 'many 4'])
})

test('small work waits only for running work, and work of equal cost takes turns', async (t) => {
  /** Returns the order in which work begins while one owner's work costs 20 ms each and the other's `otherMs`. */
  async function run(otherMs: number): Promise<string> {
    const { ask, finish, settle, names } = openTurns(t, { slots: 1 })
    for (let nth = 0; nth < 3; nth++) ignore(ask('large'))
    for (let nth = 0; nth < 5; nth++) ignore(ask('other'))
    await settle()
    const order: string[] = []
    for (let [name] = names(); name !== undefined; [name] = names()) {
      order.push(name)
      await finish(name, name === 'large' ? 20 : otherMs)
    }
    return order.join(' ')
  }
  t.is(await run(1), 'large other other other other other large large')
  t.is(await run(20), 'large other large other large other other other')
})

test('idle time earns no credit', async (t) => {
  const { ask, work, finish, settle, names } = openTurns(t, { slots: 1 })
  await work('idle', 1)
  for (let nth = 0; nth < 10; nth++) await work('busy', 20)
  for (let nth = 0; nth < 3; nth++) ignore(ask('busy'))
  for (let nth = 0; nth < 3; nth++) ignore(ask('idle'))
  await settle()
  const order: string[] = []
  for (let [name] = names(); name !== undefined; [name] = names()) {
    order.push(name)
    await finish(name, 20)
  }
  t.deepEqual(order.slice(0, 4), ['busy', 'idle', 'busy', 'idle'])
})

test('one owner alone uses every slot, however slow its work is', async (t) => {
  const { ask, work, settle, names } = openTurns(t, { slots: 2 })
  await work('alone', 5_000)
  for (let nth = 0; nth < 3; nth++) ignore(ask('alone'))
  await settle()
  t.is(names().length, 2)
})

test('slow owners leave one slot free where a quick one has come lately, all of them together', async (t) => {
  const { ask, work, settle, names } = openTurns(t, { slots: 2 })
  for (const slow of ['slow 1', 'slow 2']) await work(slow, 5_000)
  await work('quick', 1)
  for (const slow of ['slow 1', 'slow 1', 'slow 2']) ignore(ask(slow))
  await settle()
  t.deepEqual(names(), ['slow 1'])
  ignore(ask('quick'))
  await settle()
  t.deepEqual(names(), ['slow 1', 'quick'])
})

test('a quick owner leaves one slot free for a second after another has called, and then uses every slot', async (t) => {
  const { ask, finish, work, settle, names } = openTurns(t, { slots: 2 })
  await work('quick', 1)
  await work('other', 1)
  for (let nth = 0; nth < 4; nth++) ignore(ask('quick'))
  await settle()
  t.deepEqual(names(), ['quick'])
  ignore(ask('other'))
  await settle()
  t.deepEqual(names(), ['quick', 'other'])
  await finish('other')
  await finish('quick', 1_000, 1)
  t.deepEqual(names(), ['quick', 'quick'])
})

test('the next call uses a slot that no longer has to be free, while other work still runs', async (t) => {
  const { ask, work, pass, settle, names } = openTurns(t, { slots: 2 })
  await work('quick', 1)
  await work('other', 1)
  for (let nth = 0; nth < 2; nth++) ignore(ask('quick'))
  pass(1_000)
  await settle()
  t.deepEqual(names(), ['quick'])
  ignore(ask('quick'))
  await settle()
  t.deepEqual(names(), ['quick', 'quick'])
})

test('work is judged by its cost and not by the clock: on a busy machine all of it takes long', async (t) => {
  const { ask, work, settle, names } = openTurns(t, { slots: 2 })
  await work('other', 1)
  await work('quick', 5_000, 5)
  for (let nth = 0; nth < 2; nth++) ignore(ask('quick'))
  await settle()
  t.is(names().length, 2)
})

test('a single slow task, as on a new thread, has no effect, and slowness expires after a minute', async (t) => {
  const forgiven = openTurns(t, { slots: 2 })
  await forgiven.work('quick', 1_000)
  await forgiven.work('cold', 200)
  for (let nth = 0; nth < 2; nth++) ignore(forgiven.ask('cold'))
  await forgiven.settle()
  t.is(forgiven.names().length, 2)

  const { ask, work, settle, names } = openTurns(t, { slots: 2 })
  await work('slow', 5_000)
  await work('quick', 59_000)
  ignore(ask('slow'))
  ignore(ask('slow'))
  await settle()
  t.is(names().length, 1, 'not yet forgotten')
  const later = openTurns(t, { slots: 2 })
  await later.work('slow', 5_000)
  await later.work('quick', 61_000)
  for (let nth = 0; nth < 2; nth++) ignore(later.ask('slow'))
  await later.settle()
  t.is(later.names().length, 2)
})

test('an unknown owner has one slot until its first work has ended', async (t) => {
  const { ask, finish, settle, names } = openTurns(t, { slots: 3 })
  for (let nth = 0; nth < 3; nth++) ignore(ask('new'))
  await settle()
  t.is(names().length, 1)
  await finish('new')
  t.is(names().length, 2)
})

for (const [what, firstMs] of [
  ['whose first work is long', null],
  ['that began with quick work', 1],
] as const)
  test(`new owners ${what} leave one slot free together where a quick one that is not new has come lately`, async (t) => {
    const { ask, finish, work, pass, settle, names } = openTurns(t, { slots: 2 })
    await work('quick', 1)
    pass(60_000)
    if (firstMs !== null) for (const owner of ['new 1', 'new 2']) await work(owner, firstMs)
    await work('quick', 1)
    pass(1_000)
    for (const owner of ['new 1', 'new 2']) ignore(ask(owner))
    await settle()
    t.deepEqual(names(), ['new 1'])
    ignore(ask('quick'))
    await settle()
    t.deepEqual(names(), ['new 1', 'quick'])
    await finish('new 1')
    t.deepEqual(names(), ['quick', 'new 2'])
  })

test('a new owner and a slow one leave one slot free together, and after a minute of quick work it is not new', async (t) => {
  const { ask, finish, work, pass, settle, names } = openTurns(t, { slots: 2 })
  for (const owner of ['quick', 'later']) await work(owner, 1)
  pass(60_000)
  await work('slow', 5_000)
  await work('quick', 1)
  for (const owner of ['slow', 'new']) ignore(ask(owner))
  await settle()
  t.deepEqual(names(), ['slow'])
  await finish('slow')
  t.deepEqual(names(), ['new'])
  ignore(ask('later'))
  await settle()
  t.deepEqual(names(), ['new', 'later'])
})

test('new owners use every slot where all are new, as after a start', async (t) => {
  const { ask, work, settle, names } = openTurns(t, { slots: 2 })
  for (const owner of ['new 1', 'new 2', 'new 3']) await work(owner, 1)
  for (const owner of ['new 1', 'new 2']) ignore(ask(owner))
  await settle()
  t.deepEqual(names(), ['new 1', 'new 2'])
})

test('if too many tasks wait, the newest of the owner with most of them is refused, even if another came last', async (t) => {
  const { turns, ask, settle, finish, names } = openTurns(t, { slots: 1, maxWaiting: 3 })
  ignore(ask('many', 'many 0'))
  const asked = [1, 2, 3].map((nth) => ask('many', `many ${nth}`))
  await settle()
  await t.throwsAsync(ask('many', 'many 4'), { instanceOf: Outage })
  t.is(turns.waiting(), 3)
  const other = ask('other')
  await t.throwsAsync(asked[2] as Promise<void>, { instanceOf: Outage })
  t.is(turns.waiting(), 3)
  for (const name of ['many 0', 'other', 'many 1', 'many 2']) {
    t.deepEqual(names(), [name])
    await finish(name)
  }
  await Promise.all([...asked.slice(0, 2), other])
  t.is(turns.waiting(), 0)
})

test('a task that waits too long is refused, and the next one gets the turn', async (t) => {
  const { turns, ask, finish, names } = openTurns(t, { slots: 1, maxWaitMs: 20 })
  ignore(ask('one', 'first'))
  await t.throwsAsync(ask('two', 'late'), { instanceOf: Outage })
  t.is(turns.waiting(), 0)
  ignore(ask('two', 'next'))
  await finish('first')
  t.deepEqual(names(), ['next'])
})

test('a waiting task whose hold is cut is refused at once, before work begins or later has no effect', async (t) => {
  const { turns, ask, finish, settle, names } = openTurns(t, { slots: 1 })
  const begun: string[] = []
  const run = async (owner: string, cut: AbortSignal): Promise<void> =>
    await turns.run(
      owner,
      async () => void begun.push(owner),
      () => 1,
      cut,
    )
  ignore(ask('first'))
  const [waiting, other] = [new AbortController(), new AbortController()]
  const cutOff = run('waiting', waiting.signal)
  const later = run('other', other.signal)
  await settle()
  const why = new Outage('limit', 'cut')
  waiting.abort(why)
  t.is(await t.throwsAsync(cutOff), why)
  t.is(turns.waiting(), 1)
  t.is(await t.throwsAsync(run('late', waiting.signal)), why)
  await finish('first')
  await later
  other.abort(why)
  t.deepEqual(begun, ['other'])
  t.deepEqual([turns.waiting(), names()], [0, []])
})

test('work that fails releases its slot', async (t) => {
  const { turns, work } = openTurns(t, { slots: 1 })
  await t.throwsAsync(
    turns.run(
      'one',
      async () => {
        throw new Error('broken')
      },
      () => 0,
    ),
    { message: 'broken' },
  )
  await t.notThrowsAsync(work('two', 1))
})
