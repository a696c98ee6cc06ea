import test, { type ExecutionContext } from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { ok } from '../../src/base/outcome.ts'
import { type JsonRoute, route } from '../../src/web/route.ts'
import { workspaceParams } from '../../src/web/shapes.ts'
import { isAuthenticated, isChange, isRead, makeShares, type ShareLimits } from '../../src/web/shares.ts'

const [one, other] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'] as const
const roomy: ShareLimits = { concurrent: 2, maxWaiting: 10, maxWaitMs: 60_000 }

type Asked = { readonly workspaceId: string; readonly end: () => void }

/** Opens reads that end when the test says so. */
function openReads(t: ExecutionContext, limits: Partial<ShareLimits> = {}, more: { readonly polls?: true } = {}) {
  const running: Asked[] = []
  const held = route({
    method: 'GET',
    path: '/v1/workspaces/{workspace_id}/held',
    tag: 'Test',
    summary: 'Test',
    auth: 'session',
    role: 'viewer',
    params: workspaceParams,
    status: 200,
    ...more,
    handle: async ({ params }) => {
      await new Promise<void>((end) => running.push({ workspaceId: params.workspace_id, end }))
      return ok(undefined)
    },
  })
  const shares = makeShares({ ...roomy, ...limits })
  const { handle, refusals } = shares.limit([held], isRead)[0] as JsonRoute
  const gone = new AbortController()
  const read = (workspaceId: string): ReturnType<JsonRoute['handle']> =>
    handle({
      who: { userId: `user of ${workspaceId}` },
      params: { workspace_id: workspaceId },
      request: { signal: () => gone.signal },
    } as never)
  t.teardown(() => endAll())
  function endAll(): void {
    for (const { end } of running) end()
  }
  const settle = async (): Promise<void> => await new Promise((done) => setImmediate(done))
  return {
    settle,
    read,
    waiting: shares.waiting,
    refusals,
    endAll,
    leave: () => gone.abort(),
    running: () => running.map((at) => at.workspaceId),
  }
}

test('reads beyond the limit of a workspace wait for its own, not for those of another', async (t) => {
  const { read, waiting, running, settle, endAll } = openReads(t)
  const reads = [read(one), read(one), read(one), read(other)]
  await settle()
  t.deepEqual(running(), [one, one, other])
  t.is(waiting(), 1)
  endAll()
  await Promise.all([reads[0], reads[1], reads[3]])
  await settle()
  t.deepEqual(running(), [one, one, other, one])
  t.is(waiting(), 0)
  endAll()
  t.deepEqual(await reads[2], { ok: true, value: undefined })
})

test('a read behind too many waiting reads of its workspace gets 429', async (t) => {
  const { read, refusals, running, settle } = openReads(t, { concurrent: 1, maxWaiting: 1 })
  void read(one)
  void read(one)
  const refused = await t.throwsAsync(read(one), { instanceOf: Outage })
  t.is(refused.status, 429)
  t.deepEqual(
    Object.values(refusals).map(({ status }) => status),
    [429],
  )
  void read(other)
  await settle()
  t.deepEqual(running(), [one, other])
})

test('a read whose client has gone while it waited is not made', async (t) => {
  const { read, leave, running, settle, endAll } = openReads(t, { concurrent: 1 })
  const first = read(one)
  const second = read(one)
  await settle()
  leave()
  endAll()
  await first
  await t.throwsAsync(second, { instanceOf: Outage })
  t.deepEqual(running(), [one])
})

test('a long poll does not occupy a place', async (t) => {
  const { read, waiting, running, settle } = openReads(t, { concurrent: 1 }, { polls: true })
  void read(one)
  void read(one)
  await settle()
  t.deepEqual(running(), [one, one])
  t.is(waiting(), 0)
})

test('changes of a workspace wait for its own, whoever makes them', async (t) => {
  const { running, call } = openCalls(t, { role: 'member', isLimited: isChange })
  for (const userId of ['ada', 'bob']) void call({ userId, workspaceId: one })
  void call({ userId: 'cleo', workspaceId: other })
  await settled()
  t.deepEqual(running, [`ada ${one}`, `cleo ${other}`])
})

test('changes of a user wait for their own, whatever the workspace', async (t) => {
  const { running, call } = openCalls(t, { role: 'member', isLimited: isChange })
  for (const workspaceId of [one, other]) void call({ userId: 'ada', workspaceId })
  void call({ userId: 'bob', workspaceId: other })
  await settled()
  t.deepEqual(running, [`ada ${one}`, `bob ${other}`])
})

test('a change that waits for others of its workspace keeps no other change of its user waiting', async (t) => {
  const { running, call } = openCalls(t, { role: 'member', isLimited: isChange })
  void call({ userId: 'ada', workspaceId: one })
  for (const workspaceId of [one, other]) void call({ userId: 'bob', workspaceId })
  await settled()
  t.deepEqual(running, [`ada ${one}`, `bob ${other}`])
})

test('a caller whose membership is not checked yet waits for their own requests, not for those of the workspace', async (t) => {
  const { running, call } = openCalls(t, { isLimited: isAuthenticated })
  for (const userId of ['stranger', 'stranger', 'ada']) void call({ userId, workspaceId: one })
  await settled()
  t.deepEqual(running, [`stranger ${one}`, `ada ${one}`])
})

const settled = async (): Promise<void> => await new Promise((done) => setImmediate(done))

type Limited = { readonly isLimited: (route: JsonRoute) => boolean; readonly role?: 'member' }

/** Opens a change that ends with the test, of which one of each owner runs at a time. */
function openCalls(t: ExecutionContext, { isLimited, role }: Limited) {
  const running: string[] = []
  const ends: (() => void)[] = []
  let isOver = false
  const change = route({
    method: 'PATCH',
    path: '/v1/workspaces/{workspace_id}/held',
    tag: 'Test',
    summary: 'Test',
    auth: 'session',
    ...(role === undefined ? {} : { role }),
    params: workspaceParams,
    status: 204,
    handle: async ({ who, params }) => {
      running.push(`${who.userId} ${params.workspace_id}`)
      if (!isOver) await new Promise<void>((end) => ends.push(end))
      return ok(undefined)
    },
  })
  const { handle } = makeShares({ ...roomy, concurrent: 1 }).limit([change], isLimited)[0] as JsonRoute
  const call = ({ userId, workspaceId }: { userId: string; workspaceId: string }) =>
    handle({
      who: { userId, sessionId: userId },
      params: { workspace_id: workspaceId },
      request: { signal: () => new AbortController().signal },
    } as never)
  // The timers of those that still wait would keep the process alive.
  t.teardown(() => {
    isOver = true
    for (const end of ends) end()
  })
  return { running, call }
}
