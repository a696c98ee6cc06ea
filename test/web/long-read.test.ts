// A read that waits, and a membership that ends meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { z } from 'zod'
import { ok } from '../../src/base/outcome.ts'
import { type Role, route } from '../../src/web/route.ts'
import { serve } from '../../src/web/server.ts'
import { workspaceParams } from '../../src/web/shapes.ts'
import { authenticator, sessionToken, workspaceId } from './_server.ts'

test('a poll that outlives its caller’s membership answers the one 404', async (t) => {
  let role: Role | null = 'viewer'
  const roles: (Role | null)[] = []
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    routes: [
      route({
        method: 'GET',
        path: '/v1/workspaces/{workspace_id}/news',
        tag: 'Test',
        summary: 'Test',
        auth: 'session',
        role: 'viewer',
        params: workspaceParams,
        query: z.object({ after: z.enum(['stay', 'leave']) }),
        status: 200,
        response: z.object({ news: z.string() }),
        handle: async ({ query }) => {
          if (query.after === 'leave') role = null
          // The wait is what is tested: a long-poll.
          await sleep(400)
          return ok({ news: 'of the inside' })
        },
      }),
    ],
    authenticator: {
      ...authenticator,
      role: async () => {
        roles.push(role)
        return role
      },
    },
    maxJsonBodyBytes: 1_024,
    trustedProxies: 0,
    onRequest: () => undefined,
  })
  const poll = async (after: string): Promise<string> => {
    const url = `http://127.0.0.1:${server.port}/v1/workspaces/${workspaceId}/news?after=${after}`
    return await (await fetch(url, { headers: { authorization: `Bearer ${sessionToken}` } })).text()
  }
  try {
    t.is(await poll('stay'), '{"news":"of the inside"}')
    t.is(await poll('leave'), '{"detail":"Not found"}')
    t.deepEqual(roles, ['viewer', 'viewer', 'viewer', null])
  } finally {
    await server.stop(1_000)
  }
})
