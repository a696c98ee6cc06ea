// The status page, which shows what a process knows about itself.
import test from 'ava'
import { startService, type TestService } from '../_kit/serve.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(async () => await service?.stop())

type Page = {
  readonly roles: string
  readonly pid: number
  readonly front: { readonly routes_known: number; readonly breakers_open: number }
  readonly actor: { readonly fence: string | null; readonly orphans: number; readonly owned: [number, number][] }
}

test('a single process reports that it owns every partition once, and a route to each', async (t) => {
  const response = await fetch(`http://127.0.0.1:${service.metricsPort}/status`)
  t.is(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const { roles, pid, front, actor } = (await response.json()) as Page
  t.is(roles, 'all')
  t.is(pid, process.pid)
  t.is(front.routes_known, 128)
  t.is(front.breakers_open, 0)
  t.is(actor.fence, null)
  t.is(actor.orphans, 0)
  t.deepEqual(
    actor.owned.map(([partition]) => partition).sort((a, b) => a - b),
    Array.from({ length: 128 }, (_, partition) => partition),
  )
  t.true(actor.owned.every(([, epoch]) => epoch >= 1))
})

test('it contains no customer data, and the port has no other page', async (t) => {
  const text = await (await fetch(`http://127.0.0.1:${service.metricsPort}/status`)).text()
  for (const secret of [service.workspaceId, service.email, service.key]) t.false(text.includes(secret))
  t.is((await fetch(`http://127.0.0.1:${service.metricsPort}/`)).status, 404)
  t.is((await fetch(`http://127.0.0.1:${service.metricsPort}/status`, { method: 'POST' })).status, 404)
})
