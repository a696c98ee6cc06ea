// Only what was proven is served: the running service and real clients; each case failed on an earlier version of the gate.
import test from 'ava'
import { until } from '../../_kit/until.ts'
import { hourMs, minuteMs, openScene, type Scene, sixDays } from './_scene.ts'

let scene: Scene
test.before(async () => {
  scene = await openScene()
})
test.after.always(async () => await scene.stop())

type User = { readonly user: string }
const profileOf = ({ user }: User) => ({ user, email: `${user}@example.com`, balance: user.length * 1_000 })

test('six days of executions prove a rule on arrival; 8 inputs and 400 calls are served as an exact cache would, but for holdouts', async (t) => {
  const inputs = Array.from({ length: 8 }, (_, at) => ({ user: `user-${at}` }))
  const tool = { name: 'get_profile', agentName: 'support', costUsd: 0.01 }
  await scene.remember(
    tool,
    sixDays(inputs, (input) => profileOf(input as User), 50 * minuteMs),
  )
  const decision = await scene.untilState('get_profile', 'active')
  t.like(decision.score, { proven: true, forced: false })
  t.true(Number(decision.score?.['wrong_share_upper']) <= 0.05)

  let ran = 0
  // Every twentieth call is held out.
  let calls = 0
  const client = scene.openClient(t, { agentName: 'support', random: () => (calls++ % 20 === 0 ? 0 : 0.999) })
  const getProfile = client.tool(
    'get_profile',
    async (input: User) => {
      ran += 1
      return await Promise.resolve(profileOf(input))
    },
    { attest: true },
  )
  await scene.untilRules(client)
  for (let round = 0; round < 50; round += 1)
    for (const input of inputs) {
      const profile = await getProfile(input)
      if (profile.user !== input.user || profile.email !== `${input.user}@example.com`)
        t.deepEqual(profile, profileOf(input))
    }
  const served = 400 - ran
  t.log(`${served} of 400 calls served, an exact cache serves 392`)
  t.true(served >= 392 - 20)
})

test('a call never gets the result of another user, whether models read results or not', async (t) => {
  const inputs = Array.from({ length: 6 }, (_, at) => ({ user: `chat-${at}` }))
  const tool = { name: 'get_balance', agentName: 'support', costUsd: 0.01 }
  await scene.remember(
    tool,
    sixDays(inputs, (input) => profileOf(input as User), 50 * minuteMs),
  )
  await scene.untilState('get_balance', 'active')
  const client = scene.openClient(t, { agentName: 'support' })
  const getBalance = client.tool('get_balance', async (input: User) => await Promise.resolve(profileOf(input)), {
    attest: true,
  })
  await scene.untilRules(client)
  for (const input of [...inputs, ...inputs, { user: 'new' }, { user: 'new' }])
    t.deepEqual(await getBalance(input), profileOf(input))
  t.true(client.stats().served > 0)
  const types = (await scene.listDecisions('get_balance')).map(({ type }) => type)
  t.deepEqual(types, ['reuse_identity'])
})

test('a document whose access was revoked is not served any more once one real call has failed', async (t) => {
  const input = { document: 'terms' }
  await scene.remember(
    { name: 'read_document', agentName: 'legal', costUsd: 0.01 },
    sixDays([input], () => 'the terms'),
  )
  await scene.untilState('read_document', 'active')
  let isHeldOut = false
  let ran = 0
  const client = scene.openClient(t, { agentName: 'legal', random: () => (isHeldOut ? 0 : 0.999) })
  const other = scene.openClient(t, { agentName: 'legal' })
  const isRevoked = { now: false }
  const read = async (): Promise<string> => {
    ran += 1
    if (isRevoked.now) throw new Error('403 access revoked')
    return await Promise.resolve('the terms')
  }
  const readDocument = client.tool('read_document', read, { attest: true })
  const readElsewhere = other.tool('read_document', read, { attest: true })
  for (const one of [client, other]) await scene.untilRules(one)
  await until(async () => {
    await readElsewhere(input)
    const before = ran
    await readElsewhere(input)
    return ran === before
  })
  isRevoked.now = true
  t.is(await readElsewhere(input), 'the terms', 'the control: it is served still')
  isHeldOut = true
  await t.throwsAsync(readDocument(input), { message: '403 access revoked' })
  isHeldOut = false
  await t.throwsAsync(
    readDocument(input),
    { message: '403 access revoked' },
    'the process that saw the failure serves nothing',
  )
  await client.flush()
  await until(async () => {
    const before = ran
    await readElsewhere(input).catch(() => undefined)
    return ran > before
  })
  for (let call = 0; call < 20; call += 1) await t.throwsAsync(readElsewhere(input), { message: '403 access revoked' })
})

test('a tool of the same name of another agent, and another version of it, are served nothing of this one', async (t) => {
  const input = { of: 'schema' }
  const tool = { name: 'get_schema', agentName: 'agent-a', version: '1', costUsd: 0.01 }
  await scene.remember(
    tool,
    sixDays([input], () => ({ columns: 3 })),
  )
  const decision = await scene.untilState('get_schema', 'active')
  t.is(decision.config.tool_version, '1')
  t.not(decision.config.agent_id, null)
  const [a, b] = ['agent-a', 'agent-b'].map((agentName) => scene.openClient(t, { agentName }))
  if (a === undefined || b === undefined) throw new Error('two clients')
  const makeTool = (client: typeof a, version: string, columns: number) =>
    client.tool('get_schema', async (_input: typeof input) => await Promise.resolve({ columns }), {
      attest: true,
      version,
    })
  const [ofA, ofB, second] = [makeTool(a, '1', 3), makeTool(b, '1', 5), makeTool(a, '2', 7)]
  for (const one of [a, b]) await scene.untilRules(one)
  await ofA(input)
  const before = a.stats().served
  t.deepEqual(await ofA(input), { columns: 3 })
  t.is(a.stats().served, before + 1)
  for (let call = 0; call < 20; call += 1) {
    t.deepEqual(await ofB(input), { columns: 5 })
    t.deepEqual(await second(input), { columns: 7 })
  }
  t.is(b.stats().served, 0)
})

test('calls of an invalidated tool run again, in every process', async (t) => {
  const input = { of: 'catalogue' }
  await scene.remember(
    { name: 'get_catalogue', agentName: 'shop', costUsd: 0.01 },
    sixDays([input], () => ({ edition: 1 })),
  )
  await scene.untilState('get_catalogue', 'active')
  const edition = { now: 1 }
  const clients = [1, 2].map(() => scene.openClient(t, { agentName: 'shop' }))
  const tools = clients.map((client) =>
    client.tool('get_catalogue', async (_input: typeof input) => await Promise.resolve({ edition: edition.now }), {
      attest: true,
    }),
  )
  for (const client of clients) await scene.untilRules(client)
  for (const tool of tools) await tool(input)
  const servedBefore = clients.map((client) => client.stats().served)
  for (const tool of tools) await tool(input)
  t.true(
    clients.every((client, at) => client.stats().served > (servedBefore[at] ?? 0)),
    'the control: it is served',
  )
  edition.now = 2
  t.true(await tools[0]?.invalidate(input))
  t.deepEqual(await tools[0]?.(input), { edition: 2 })
  await until(async () => (await tools[1]?.(input))?.edition === 2)
})

test('a tool whose value changes every five seconds is never served at an age at which it is wrong', async (t) => {
  const endMs = Date.now() - minuteMs
  const calls = Array.from({ length: 1_250 }, (_, at) => {
    const startMs = endMs - 0.75 * hourMs + at * 2_160
    return { input: { of: 'ticker' }, result: Math.floor(startMs / 5_000), startMs, durationMs: 20 }
  })
  await scene.remember({ name: 'get_ticker', agentName: 'desk', costUsd: 0.01 }, calls)
  let decision = (await scene.listDecisions('get_ticker'))[0]
  await until(async () => {
    decision = (await scene.listDecisions('get_ticker'))[0]
    return decision?.score != null
  })
  t.not(decision?.state, 'active')
  t.like(decision?.score, { proven: false })
  // A rule for another tool of the agent, which is served. A client that holds it has read the rules of this moment.
  const steady = { name: 'get_exchange', agentName: 'desk', costUsd: 0.01 }
  await scene.remember(
    steady,
    sixDays([{ of: 'ticker' }], () => 'Frankfurt'),
  )
  await scene.untilState(steady.name, 'active')
  const client = scene.openClient(t, { agentName: 'desk' })
  await scene.untilRules(client)
  const getTicker = client.tool('get_ticker', async (_input: { of: string }) => await Promise.resolve(Date.now()), {
    attest: true,
  })
  for (let call = 0; call < 60; call += 1) await getTicker({ of: 'ticker' })
  t.is(client.stats().served, 0)
})
