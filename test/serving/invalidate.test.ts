import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { makeInvalidateRoutes } from '../../src/serving/invalidate.ts'
import type { JsonRoute } from '../../src/web/route.ts'
import { until } from '../_kit/until.ts'

/** Makes the route over a database whose writes do not end until `end` is called. Later ones end at once. */
function openRoute() {
  const writing: string[] = []
  const { promise: isEnded, resolve: end } = Promise.withResolvers<void>()
  const told: string[] = []
  const [route] = makeInvalidateRoutes({
    db: {
      row: async <Row extends object>(_statement: string, values: readonly unknown[] = []) => {
        writing.push(String(values[0]))
        await isEnded
        return { is_full: false, at: new Date(0) } as unknown as Row
      },
    },
    onInvalidated: (workspaceId) => void told.push(workspaceId),
  })
  const invalidate = (workspaceId: string): ReturnType<JsonRoute['handle']> =>
    (route as JsonRoute).handle({ who: { workspaceId, keyId: workspaceId }, body: { tool_name: 'search' } } as never)
  return { route: route as JsonRoute, invalidate, writing, end, told }
}

test('the invalidations of one workspace use one connection, and do not wait for those of another', async (t) => {
  const { invalidate, writing, end, told } = openRoute()
  const [one, other] = [makeUuidV7(), makeUuidV7()]
  const all = [invalidate(one), invalidate(one), invalidate(one), invalidate(other)]
  await until(() => writing.includes(other))
  t.deepEqual(writing, [one, other])
  end()
  t.deepEqual(
    (await Promise.all(all)).map(({ ok }) => ok),
    [true, true, true, true],
  )
  t.deepEqual(writing, [one, other, one, one])
  t.deepEqual(told.toSorted(), [one, one, one, other].toSorted())
})

test('the longest invalidation is accepted, and no body that is much longer', (t) => {
  const { route } = openRoute()
  const escaped = (characters: number): string => '\\u20ac'.repeat(characters)
  const hash = 'a'.repeat(128)
  const body = `{"tool_name":"${escaped(256)}","agent_name":"${escaped(256)}","version":"${escaped(128)}","input_hash":"${hash}"}`
  t.true(route.body?.safeParse(JSON.parse(body)).success)
  t.true(body.length < (route.maxBodyBytes ?? 0))
  t.true((route.maxBodyBytes ?? Number.POSITIVE_INFINITY) <= 16_384)
})

test('a workspace that invalidates faster than the database can write gets 429', async (t) => {
  const { invalidate, writing, end } = openRoute()
  const workspace = makeUuidV7()
  const refused: unknown[] = []
  const all = Array.from({ length: 150 }, () =>
    invalidate(workspace).catch((error: unknown) => void refused.push(error)),
  )
  await until(() => refused.length > 0)
  t.true(refused.every((error) => error instanceof Outage && error.status === 429))
  const taken = all.length - refused.length
  end()
  await Promise.all(all)
  t.is(writing.length, taken)
})

test('a workspace that invalidates more than 200 times in ten seconds gets 429, and others do not', async (t) => {
  const { invalidate, writing, end } = openRoute()
  end()
  const [flooding, other] = [makeUuidV7(), makeUuidV7()]
  const refused: unknown[] = []
  for (let nth = 0; nth < 210; nth += 1) await invalidate(flooding).catch((error: unknown) => void refused.push(error))
  t.is(writing.length, 200)
  t.is(refused.length, 10)
  t.true(refused.every((error) => error instanceof Outage && error.status === 429 && error.retryAfterMs <= 10_000))
  t.true((await invalidate(other)).ok)
})
