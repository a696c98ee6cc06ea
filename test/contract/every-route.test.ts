// Every route of the running service with every kind of credential. A new route without a row in _routes.ts fails here.
import test from 'ava'
import type { CallResult } from '../_kit/serve.ts'
import { isSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import { type Operation, readDocument } from './_document.ts'
import { type Call, type Row, rows } from './_routes.ts'
import { type Ids, makeWorld } from './_world.ts'

const world = await makeWorld()
const { service, stranger, own } = world
const document = await readDocument(service)
test.after.always(async () => await service.stop())

/** Calls the operation as its row describes, with these ids. */
async function send(operation: Operation, ids: Ids, token: string | null): Promise<CallResult> {
  const call: Call = row(operation).call?.(ids, world) ?? {}
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => call.params?.[name] ?? ids[name as keyof Ids],
  )
  const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query).toString()}`
  if (call.raw === undefined) {
    return await service.call(operation.method, path + query, {
      token,
      ...(call.body === undefined ? {} : { body: call.body }),
    })
  }
  const response = await fetch(service.baseUrl + path + query, {
    method: operation.method,
    headers: { 'content-type': call.raw.type, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: new Uint8Array(call.raw.bytes),
  })
  return { status: response.status, headers: response.headers, text: await response.text(), json: null }
}

function row(operation: Operation): Row {
  const found = rows[operation.name]
  if (found === undefined) throw new Error(`${operation.name} has no row in test/contract/_routes.ts`)
  return found
}

const rightToken = (operation: Operation, tenant: { accessToken: string; key: string }): string | null =>
  operation.auth === 'none' ? null : operation.auth === 'key' ? tenant.key : tenant.accessToken

/** Everything in an answer that a caller can compare; without the request id and the date, which always differ. */
const whole = ({ status, headers, text }: CallResult): string =>
  JSON.stringify([status, [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)), text])

/** Returns whether the call names anything by id in its path, query or body. */
const namesIds = (operation: Operation): boolean => {
  const call = row(operation).call
  const told = (ids: Ids): string =>
    JSON.stringify([operation.path, call?.(ids, world)], (key, value: unknown) => (key === 'raw' ? null : value))
  return /\{\w+\}/.test(operation.path) || [own.workspace_id, own.org_id].some((id) => told(own).includes(id))
}

test('every route of the document has a row, and every row a route', (t) => {
  t.deepEqual(
    document.operations.map(({ name }) => name).filter((name) => !Object.hasOwn(rows, name)),
    [],
  )
  const known = new Set(document.operations.map(({ name }) => name))
  t.deepEqual(
    Object.keys(rows).filter((name) => !known.has(name)),
    [],
  )
})

const brokenTokens = ['nonsense', `${service.key}x`, `${service.accessToken}x`]

for (const [at, operation] of document.operations.filter(({ name }) => Object.hasOwn(rows, name)).entries()) {
  const { name, auth } = operation

  test.serial(`${name}: the right credential is answered as the document says`, async (t) => {
    const ids = { ...own, ...(await row(operation).prepare?.(world)) }
    const token = row(operation).token?.(world) ?? rightToken(operation, service)
    const { status, mayBeLate = false } = row(operation)
    let answer = await send(operation, ids, token)
    await until(async () => {
      if (!mayBeLate || answer.status === status) return true
      answer = await send(operation, ids, token)
      return false
    })
    t.is(answer.status, status, answer.text)
    t.deepEqual(document.judge(operation, answer), [])
    t.truthy(answer.headers.get('x-request-id'))
    if (auth !== 'none' && name.startsWith('GET '))
      t.regex(answer.headers.get('cache-control') ?? '', /no-store|private/)
  })

  if (auth === 'none') continue

  test.serial(`${name}: no credential, a broken one and one of the wrong kind are the same 401`, async (t) => {
    const wrongKind = auth === 'key' ? service.accessToken : service.key
    const without = await send(operation, own, null)
    t.is(without.status, 401)
    t.deepEqual(document.judge(operation, without), [])
    t.is(without.headers.get('www-authenticate'), 'Bearer')
    // By default, each route takes one of them in turn.
    const broken = brokenTokens.filter((_, nth) => isSoak || nth === at % brokenTokens.length)
    for (const token of [wrongKind, ...broken]) {
      t.is(whole(await send(operation, own, token)), whole(without))
    }
  })

  test.serial(`${name}: the credential is asked before anything else`, async (t) => {
    const nonsense = Object.fromEntries(Object.keys(own).map((id) => [id, 'nonsense'])) as Ids
    t.is((await send(operation, nonsense, null)).status, 401)
  })

  test.serial(`${name}: another tenant learns nothing`, async (t) => {
    const token = rightToken(operation, stranger)
    if (namesIds(operation)) {
      const foreign = await send(operation, own, token)
      const missing = await send(operation, world.randomIds(), token)
      t.is(foreign.status, 404)
      t.is(whole(foreign), whole(missing))
    } else {
      const { text } = await send(operation, own, token)
      for (const id of [own.workspace_id, own.org_id, own.trace_id, own.agent_id]) t.false(text.includes(id), id)
    }
  })

  if (
    operation.path.includes('{workspace_id}/') &&
    /\{(agent|trace|event|decision|finding)_id\}/.test(operation.path)
  ) {
    test.serial(`${name}: one’s own workspace does not open another tenant’s things`, async (t) => {
      const token = stranger.accessToken
      const foreign = await send(operation, { ...own, workspace_id: stranger.workspaceId }, token)
      const missing = await send(operation, { ...world.randomIds(), workspace_id: stranger.workspaceId }, token)
      t.is(foreign.status, 404)
      t.is(whole(foreign), whole(missing))
    })
  }
}

test.serial('an id of a wrong form is a 422 that names the parameter', async (t) => {
  for (const operation of document.operations.filter(({ path }) => path.includes('{'))) {
    const nonsense = Object.fromEntries(Object.keys(own).map((id) => [id, 'nonsense'])) as Ids
    const answer = await send(operation, nonsense, rightToken(operation, service))
    t.is(answer.status, 422, operation.name)
    t.regex(answer.text, /"loc":\["path","\w+"\]/, operation.name)
    t.deepEqual(document.judge(operation, answer), [], operation.name)
  }
})

test.serial('a response that the document does not describe is detected', async (t) => {
  const operation = document.operations.find(({ name }) => name === 'GET /v1/workspaces')
  if (operation === undefined) throw new Error('there is no such route')
  const answer = await send(operation, own, service.accessToken)
  const [workspace] = answer.json as object[]
  t.deepEqual(document.judge(operation, answer), [])
  t.is(document.judge(operation, { ...answer, status: 418 }).length, 1)
  t.is(document.judge(operation, { ...answer, json: [{ ...workspace, more: 1 }] }).length, 1)
  t.is(document.judge(operation, { ...answer, json: [{ ...workspace, id: 'no id' }] }).length, 1)
  t.is(document.judge(operation, { ...answer, json: [{ ...workspace, name: undefined }] }).length, 1)
})

test.serial('the comparison of tenants would find a difference', async (t) => {
  const operation = document.operations.find(
    ({ name }) => name === 'GET /v1/workspaces/{workspace_id}/agents/{agent_id}',
  )
  if (operation === undefined) throw new Error('there is no such route')
  t.true(namesIds(operation))
  t.not(whole(await send(operation, own, service.accessToken)), whole(await send(operation, own, stranger.accessToken)))
})
