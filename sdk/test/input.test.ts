// The input of a call: that of the moment at which the call was made, whatever the caller does with its object later.
import test from 'ava'
import { openWorld, reuseRule } from './_client.ts'

type Page = { readonly page: number }

test('a call that no rule covers begins at once, as it would without the library', async (t) => {
  const { client } = await openWorld(t)
  const tracewright = await client()
  const begun: number[] = []
  const tool = tracewright.tool('read_page', async ({ page }: Page) => begun.push(page), { attest: true })
  const calls: Promise<number>[] = []
  const next = { page: 1 }
  for (; next.page <= 3; next.page++) calls.push(tool(next))
  await Promise.all(calls)
  t.deepEqual(begun, [1, 2, 3])
})

test('a held-out call begins at once', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('read_page', ['{"page":1}'], { holdout_rate: 1 })])
  const tracewright = await client()
  const tool = tracewright.tool('read_page', async ({ page }: Page) => page, { attest: true })
  const input = { page: 1 }
  const call = tool(input)
  input.page = 2
  t.is(await call, 1)
})

test('a call whose input changes while a result is looked up runs with its own input, and its result is kept for that', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('read_page', ['{"page":1}', '{"page":2}'])])
  const tracewright = await client()
  const read: number[] = []
  const fn = async ({ page }: Page) => {
    read.push(page)
    return `page ${page}`
  }
  const tool = tracewright.tool('read_page', fn, { attest: true })
  const next = { page: 1 }
  const first = tool(next)
  next.page = 2
  const second = tool(next)
  t.deepEqual(await Promise.all([first, second]), ['page 1', 'page 2'])
  t.is(await tool({ page: 1 }), 'page 1')
  t.is(await tool({ page: 2 }), 'page 2')
  t.deepEqual(read, [1, 2])
})

test('the tool receives the object of the caller where it did not change', async (t) => {
  const { service, client } = await openWorld(t)
  service.setRules([reuseRule('read_page', ['{"page":1}'])])
  const tracewright = await client()
  const received: Page[] = []
  const tool = tracewright.tool('read_page', async (input: Page) => received.push(input), { attest: true })
  const input = { page: 1 }
  await tool(input)
  t.is(received[0], input)
})
