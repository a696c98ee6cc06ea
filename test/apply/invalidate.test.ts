// The body of an invalidation has no room for unknown fields, since a field that is left out widens the invalidation.
import test from 'ava'
import { makeInvalidateRoutes } from '../../src/apply/invalidate.ts'
import { describeRoutes } from '../../src/web/openapi.ts'
import { openHttp } from '../_kit/http.ts'

const recorded: unknown[] = []
const routes = makeInvalidateRoutes({
  db: {
    row: (_name, values) => {
      recorded.push(values)
      return Promise.resolve({ at: new Date() } as never)
    },
  },
  onInvalidated: () => undefined,
})
const http = await openHttp(routes, {
  session: () => Promise.resolve(null),
  key: (token) => Promise.resolve(token === 'good' ? { keyId: 'key', workspaceId: 'workspace' } : null),
  role: () => Promise.resolve(null),
})
test.after.always(async () => await http.stop())

const invalidate = async (body: object) => await http.call('POST', '/v1/apply/invalidate', { token: 'good', body })

test.serial('each unknown field is named, and nothing is invalidated', async (t) => {
  const { status, body } = await invalidate({ tool_name: 'search', input_hsah: 'sha256:one', agent: 'planner' })
  t.is(status, 422)
  const msg = 'Extra inputs are not permitted'
  t.deepEqual(body['detail'], [
    { loc: ['body', 'input_hsah'], msg, type: 'extra_forbidden', input: 'sha256:one' },
    { loc: ['body', 'agent'], msg, type: 'extra_forbidden', input: 'planner' },
  ])
  t.deepEqual(recorded, [])
})

test.serial('what an SDK sends is taken', async (t) => {
  const { status } = await invalidate({ tool_name: 'search', version: '2', input_hash: 'sha256:one' })
  t.is(status, 204)
  t.is(recorded.length, 1)
})

test('the document says so', (t) => {
  type Body = { content: Record<string, { schema: Record<string, unknown> }> }
  const { paths } = describeRoutes(routes) as { paths: Record<string, Record<string, { requestBody: Body }>> }
  const schema = paths['/v1/apply/invalidate']?.['post']?.requestBody.content['application/json']?.schema
  t.is(schema?.['additionalProperties'], false)
  t.deepEqual(schema?.['required'], ['tool_name'])
})
