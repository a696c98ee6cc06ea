import test from 'ava'
import { makeUuidV7 } from '../../../src/base/ids.ts'
import { type Person } from '../../_kit/people.ts'
import { openPeopleHttp, type PeopleHttp } from '../../_kit/people-http.ts'

let database: PeopleHttp['database']
let people: PeopleHttp['people']
let http: PeopleHttp['http']
let stop: PeopleHttp['stop']
test.before(async () => {
  ;({ database, people, http, stop } = await openPeopleHttp())
})
test.after.always(async () => await stop())

const pathOf = ({ workspaceId }: Pick<Person, 'workspaceId'>): string => `/v1/workspaces/${workspaceId}/prices`
const call = async (method: string, who: Person, body?: unknown, path = pathOf(who)) =>
  await http.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) })
const listOf = async (who: Person): Promise<unknown> => (await call('GET', who)).body

const llama = { model: 'my-llama-*', input_usd_per_m: 0.2, output_usd_per_m: 0.8 }
const whole = {
  model: 'gpt-4o*',
  provider: 'azure',
  input_usd_per_m: 1e-7,
  output_usd_per_m: 1_000_000,
  cached_usd_per_m: 0,
  cache_write_usd_per_m: 3.75,
  valid_from: '2026-03-01T12:00:00.123Z',
}
const nothing = { provider: null, cached_usd_per_m: null, cache_write_usd_per_m: null, valid_from: null }

const auditOf = async ({ workspaceId }: Person): Promise<object[]> =>
  await database.query(
    `select actor_user_id, target, detail from audit_log where audited_workspace_id = $1 and action = 'prices.change' order by at, id`,
    [workspaceId],
  )

test('a list of prices is returned as it was stored, in its order and with all digits, until it is removed', async (t) => {
  const ada = await people.add()
  t.deepEqual(await listOf(ada), [])
  const put = await call('PUT', ada, [llama, whole])
  t.is(put.status, 200)
  t.deepEqual(put.body as unknown, [{ ...llama, ...nothing }, whole])
  t.deepEqual(await listOf(ada), [{ ...llama, ...nothing }, whole])
  t.is((await call('PUT', ada, await listOf(ada))).status, 200)
  t.deepEqual(await listOf(ada), [{ ...llama, ...nothing }, whole])
  t.is((await call('PUT', ada, [whole])).status, 200)
  t.deepEqual(await listOf(ada), [whole])
  t.is((await call('DELETE', ada)).status, 204)
  t.deepEqual(await listOf(ada), [])
  t.is((await call('DELETE', ada)).status, 204)
  t.is((await call('PUT', ada, [llama])).status, 200)
  t.deepEqual((await call('PUT', ada, [])).body as unknown, [])
  t.deepEqual(await listOf(ada), [])
})

test('a start time may have any offset and is stored to the millisecond; unknown fields are ignored', async (t) => {
  const ada = await people.add()
  const put = await call('PUT', ada, [
    { ...llama, valid_from: '2026-03-01T02:00:00.1239+02:00', model: '  my-llama-*  ', note: 'mine' },
    { ...llama, valid_from: null },
  ])
  t.deepEqual(put.body as unknown, [
    { ...llama, ...nothing, valid_from: '2026-03-01T00:00:00.123Z' },
    { ...llama, ...nothing },
  ])
})

test('If-Match replaces only the revision that was read', async (t) => {
  const ada = await people.add()
  const change = async (method: string, ifMatch: string | undefined, body?: unknown) => {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
    const { status, headers: answered } = await http.call(method, pathOf(ada), {
      token: ada.token,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    return [status, answered.get('etag')] as const
  }
  const read = async (): Promise<string> => (await change('GET', undefined))[1] ?? ''
  const none = await read()
  const [status, first] = await change('PUT', none, [llama])
  t.is(status, 200)
  t.is(first, await read())
  t.not(first, none)
  for (const stale of [none, '"x"', 'no tag', '']) t.deepEqual(await change('PUT', stale, [whole]), [412, null], stale)
  t.is((await change('DELETE', none))[0], 412)
  t.deepEqual(await listOf(ada), [{ ...llama, ...nothing }], 'what is refused changes nothing')
  // Putting the same list again gives a new state, so an older tag no longer matches.
  const [, second] = await change('PUT', `"x", W/${first}`, [llama])
  t.not(second, first)
  t.is((await change('PUT', String(first), [whole]))[0], 412)
  t.is((await change('PUT', '*', [whole]))[0], 200)
  t.is((await change('DELETE', await read()))[0], 204)
  t.is(await read(), none)
  t.is((await change('PUT', undefined, [llama]))[0], 200)
})

test('of several concurrent writers with the same revision, one succeeds', async (t) => {
  const ada = await people.add()
  const { headers } = await call('GET', ada)
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async (_, at) => {
      const body = [{ ...llama, model: `model-${at}` }]
      const held = { 'if-match': headers.get('etag') ?? '' }
      return (await http.call('PUT', pathOf(ada), { token: ada.token, body, headers: held })).status
    }),
  )
  t.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 412, 412, 412, 412],
  )
})

test('a list has at most five hundred rows', async (t) => {
  const ada = await people.add()
  const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ ...llama, model: `model-${at}` }))
  t.is((await call('PUT', ada, rows(500))).status, 200)
  const { status, body } = await call('PUT', ada, rows(501))
  t.is(status, 422)
  t.like((body['detail'] as object[])[0], { loc: ['body'], type: 'too_long', ctx: { max_length: 500 } })
  t.is(((await listOf(ada)) as object[]).length, 500)
})

const refused: readonly (readonly [what: string, body: unknown, item: object])[] = [
  ['no body', undefined, { loc: ['body'], type: 'missing' }],
  ['no list', { prices: [] }, { loc: ['body'], type: 'list_type' }],
  ['no object', ['gpt-4o'], { loc: ['body', 0], type: 'model_attributes_type' }],
  ['no model', [{ ...llama, model: undefined }], { loc: ['body', 0, 'model'], type: 'missing' }],
  ['a blank model', [{ ...llama, model: '  ' }], { loc: ['body', 0, 'model'], type: 'string_too_short' }],
  [
    'a model of 257 characters',
    [{ ...llama, model: 'x'.repeat(257) }],
    { loc: ['body', 0, 'model'], type: 'string_too_long', ctx: { max_length: 256 } },
  ],
  ['U+0000', [{ ...llama, model: 'a\0b' }], { loc: ['body', 0, 'model'], type: 'string_unicode' }],
  ['an empty provider', [{ ...llama, provider: '' }], { loc: ['body', 0, 'provider'], type: 'string_too_short' }],
  [
    'a framework as the provider',
    [llama, { ...llama, provider: 'LangChain' }],
    { loc: ['body', 1, 'provider'], type: 'value_error', input: 'LangChain' },
  ],
  ['no price', [{ model: 'm', input_usd_per_m: 1 }], { loc: ['body', 0, 'output_usd_per_m'], type: 'missing' }],
  [
    'a price in words',
    [{ ...llama, input_usd_per_m: '1' }],
    { loc: ['body', 0, 'input_usd_per_m'], type: 'float_type' },
  ],
  [
    'a negative price',
    [{ ...llama, output_usd_per_m: -0.01 }],
    { loc: ['body', 0, 'output_usd_per_m'], type: 'greater_than_equal', ctx: { ge: 0 } },
  ],
  [
    'a price beyond a million',
    [{ ...llama, cached_usd_per_m: 1_000_000.1 }],
    { loc: ['body', 0, 'cached_usd_per_m'], type: 'less_than_equal', ctx: { le: 1_000_000 } },
  ],
  [
    'a price without end',
    `[{"model":"m","input_usd_per_m":1,"output_usd_per_m":1,"cache_write_usd_per_m":1e999}]`,
    { loc: ['body', 0, 'cache_write_usd_per_m'], type: 'float_type' },
  ],
  [
    'a start without an offset',
    [{ ...llama, valid_from: '2026-03-01T00:00:00' }],
    { loc: ['body', 0, 'valid_from'], type: 'timezone_aware' },
  ],
  [
    'a start before 1970',
    [{ ...llama, valid_from: '0000-01-01T00:00:00+14:00' }],
    { loc: ['body', 0, 'valid_from'], type: 'greater_than_equal' },
  ],
  [
    'a start after 9999',
    [{ ...llama, valid_from: '9999-12-31T23:59:59-14:00' }],
    { loc: ['body', 0, 'valid_from'], type: 'less_than_equal' },
  ],
  ['twice the same', [llama, whole, llama], { loc: ['body', 2], type: 'value_error', ctx: { same_as: 0 } }],
  [
    'the same in other words',
    [
      whole,
      { ...whole, model: ' GPT-4O** ', provider: 'azure.ai.openai', valid_from: '2026-03-01T13:00:00.1234+01:00' },
    ],
    { loc: ['body', 1], type: 'value_error', ctx: { same_as: 0 } },
  ],
]
for (const [what, body, item] of refused) {
  test(`a list with ${what} is refused as a whole, and says where`, async (t) => {
    const ada = await people.add()
    await call('PUT', ada, [whole])
    const { status, body: answer } = await call('PUT', ada, body)
    t.is(status, 422)
    t.like((answer['detail'] as object[])[0], item)
    t.deepEqual(await listOf(ada), [whole])
  })
}

test('rows for other providers or start times are not duplicates', async (t) => {
  const ada = await people.add()
  const rows = [
    llama,
    { ...llama, provider: 'vllm' },
    { ...llama, provider: 'ollama' },
    { ...llama, valid_from: '2026-03-01T00:00:00Z' },
    { ...llama, valid_from: '2026-03-01T00:00:00.001Z' },
    { ...llama, model: 'my-llama-' },
  ]
  t.is((await call('PUT', ada, rows)).status, 200)
})

test('any member reads, admins write, and a session that has ended does nothing', async (t) => {
  const ada = await people.add()
  const [viewer, member, admin] = [
    await people.add({ joins: ada, role: 'viewer' }),
    await people.add({ joins: ada, role: 'member' }),
    await people.add({ joins: ada, role: 'admin' }),
  ]
  const path = pathOf(ada)
  t.is((await call('PUT', admin, [llama], path)).status, 200)
  for (const who of [viewer, member]) {
    t.deepEqual((await call('GET', who, undefined, path)).body as unknown, [{ ...llama, ...nothing }])
    t.is((await call('PUT', who, [], path)).status, 403)
    t.is((await call('DELETE', who, undefined, path)).status, 403)
  }
  await http.call('POST', '/v1/auth/logout', { body: { refresh_token: ada.refreshToken } })
  t.is((await call('PUT', ada, [])).status, 401)
  t.is((await call('DELETE', ada)).status, 401)
  t.deepEqual((await call('GET', viewer, undefined, path)).body as unknown, [{ ...llama, ...nothing }])
  t.is((await call('DELETE', admin, undefined, path)).status, 204)
})

test('a foreign, a missing and a deleted workspace read the same, and a stranger changes nothing', async (t) => {
  const [ada, bob, eve] = [await people.add(), await people.add(), await people.add()]
  await call('PUT', ada, [whole])
  await call('PUT', bob, [whole])
  await http.call('DELETE', `/v1/workspaces/${bob.workspaceId}`, { token: bob.token })
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? [llama] : undefined
    const answers = [
      await call(method, eve, body, pathOf(ada)),
      await call(method, eve, body, pathOf({ workspaceId: makeUuidV7() })),
      await call(method, bob, body),
    ]
    t.deepEqual(
      [...new Set(answers.map(({ status, text }) => `${status} ${text}`))],
      ['404 {"detail":"Not found"}'],
      method,
    )
    t.is((await http.call(method, pathOf(ada), body === undefined ? {} : { body })).status, 401)
    t.is((await http.call(method, pathOf(ada), { token: ada.key ?? '', ...(body && { body }) })).status, 401)
  }
  t.deepEqual(await listOf(ada), [whole])
  t.deepEqual(await listOf(eve), [])
})

test('each change is in the audit log with the revision of the list, and what changes nothing is not', async (t) => {
  const ada = await people.add()
  const revision = async (): Promise<unknown> =>
    (await database.query('select revision from workspace_prices where workspace_id = $1', [ada.workspaceId]))[0]?.[
      'revision'
    ]
  await call('DELETE', ada)
  await call('PUT', ada, [])
  t.deepEqual(await auditOf(ada), [])
  await call('PUT', ada, [llama, whole])
  const first = await revision()
  await call('PUT', ada, [llama, whole])
  const second = await revision()
  t.not(first, second)
  await call('PUT', ada, [{ ...llama, input_usd_per_m: 0.5, cached_usd_per_m: 0.1 }])
  const third = await revision()
  await call('DELETE', ada)
  await call('DELETE', ada)
  const line = { actor_user_id: ada.userId, target: ada.workspaceId }
  const ofLlama = `"my-llama-*": input $${llama.input_usd_per_m}, output $${llama.output_usd_per_m}`
  const ofWhole =
    '"gpt-4o*" of "azure" from 2026-03-01T12:00:00.123Z: input $1e-7, output $1000000, cached $0, cache write $3.75'
  t.deepEqual(await auditOf(ada), [
    { ...line, detail: { prices: 2, added: `${ofLlama}; ${ofWhole}`, revision: first } },
    { ...line, detail: { prices: 2, revision: second } },
    {
      ...line,
      detail: {
        prices: 1,
        changed: `"my-llama-*": input $${llama.input_usd_per_m} → $0.5, cached as input → $0.1`,
        removed: ofWhole,
        revision: third,
      },
    },
    {
      ...line,
      detail: { prices: 0, removed: `"my-llama-*": input $0.5, output $${llama.output_usd_per_m}, cached $0.1` },
    },
  ])
})

test('after two concurrent writes the prices are one of the two lists, complete', async (t) => {
  const ada = await people.add()
  const lists = ['a', 'b', 'c', 'd'].map((letter) =>
    Array.from({ length: 20 }, (_, at) => ({ ...llama, ...nothing, model: `${letter}-${at}` })),
  )
  const answers = await Promise.all(lists.map(async (list) => await call('PUT', ada, list)))
  t.true(answers.every(({ status }) => status === 200))
  const kept = (await listOf(ada)) as { model: string }[]
  t.true(
    lists.some(
      (list) => JSON.stringify(list.map(({ model }) => model)) === JSON.stringify(kept.map(({ model }) => model)),
    ),
  )
  t.is((await auditOf(ada)).length, 4)
})
