// The parts of the document about every route, except its schemas.
import test from 'ava'
import { describeRoutes } from '../../src/web/openapi.ts'
import { makeRoutes, startServer } from './_server.ts'

type Answer = { description: string; headers?: Record<string, object> }
type Operation = {
  responses: Record<string, Answer>
  parameters?: { name: string; description?: string; schema: { default?: unknown } }[]
}
const { paths } = describeRoutes(makeRoutes()) as { paths: Record<string, Record<string, Operation>> }
const find = (path: string, method: string): Operation => {
  const operation = paths[path]?.[method]
  if (operation === undefined) throw new Error(`the document lacks ${method} ${path}`)
  return operation
}

test('a route with a body can answer 413, and one without cannot', (t) => {
  t.true(Object.hasOwn(find('/body', 'post').responses, '413'))
  t.false(Object.hasOwn(find('/query', 'get').responses, '413'))
})

test('the document names the statuses that any route can answer because of HTTP itself', (t) => {
  const { info } = describeRoutes(makeRoutes()) as { info: { description: string } }
  for (const status of [400, 408, 417, 431, 501]) t.regex(info.description, new RegExp(`\\b${status}\\b`))
})

test('routes whose valid query or headers can be too long have 431 in the document', async (t) => {
  const server = await startServer()
  t.teardown(async () => await server.stop())
  const { status } = await fetch(`${server.baseUrl}/query?needed=${'x'.repeat(9_000)}`)
  t.is(status, 431)
  t.true(Object.hasOwn(find('/query', 'get').responses, String(status)))
  t.false(Object.hasOwn(find('/key', 'get').responses, String(status)))
})

test('the headers that a client needs are described beside their status', (t) => {
  for (const [path, method] of [
    ['/body', 'post'],
    ['/query', 'get'],
  ] as const) {
    t.deepEqual(Object.keys(find(path, method).responses['503']?.headers ?? {}), ['Retry-After'])
  }
  t.deepEqual(Object.keys(find('/key', 'get').responses['401']?.headers ?? {}), ['WWW-Authenticate'])
})

test('the parameters that many lists share are described and keep their default', (t) => {
  const { parameters = [] } = find('/query', 'get')
  for (const [name, initial] of [
    ['limit', 50],
    ['offset', 0],
  ] as const) {
    const parameter = parameters.find((candidate) => candidate.name === name)
    t.truthy(parameter?.description, name)
    t.is(parameter?.schema.default, initial)
  }
})
