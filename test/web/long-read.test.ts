// A waiting read whose membership or session ends meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { z } from 'zod'
import { ok } from '../../src/base/outcome.ts'
import type { Authenticator } from '../../src/web/authenticate.ts'
import { unauthorized } from '../../src/web/refuse.ts'
import { type Role, route } from '../../src/web/route.ts'
import { serve } from '../../src/web/server.ts'
import { workspaceParams } from '../../src/web/shapes.ts'
import { authenticator, sessionToken, workspaceId } from './_server.ts'

/** Calls a long-poll once for each name; `during` gets the name while the poll waits. */
async function poll(
  names: readonly string[],
  during: (name: string) => void,
  who: Partial<Authenticator>,
  wanted: Role = 'viewer',
) {
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
        role: wanted,
        params: workspaceParams,
        query: z.object({ name: z.string() }),
        status: 200,
        response: z.object({ news: z.string() }),
        handle: async ({ query }) => {
          during(query.name)
          // The wait is the subject of the test: a long-poll.
          await sleep(400)
          return ok({ news: 'of the inside' })
        },
      }),
    ],
    authenticator: { ...authenticator, ...who },
    maxJsonBodyBytes: 1_024,
    trustedProxies: 0,
    onRequest: () => undefined,
  })
  try {
    const answers: string[] = []
    for (const name of names) {
      const url = `http://127.0.0.1:${server.port}/v1/workspaces/${workspaceId}/news?name=${name}`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${sessionToken}` } })
      answers.push(`${answer.status} ${await answer.text()}`)
    }
    return answers
  } finally {
    await server.stop(1_000)
  }
}

test('a poll that outlives its caller’s membership answers the one 404', async (t) => {
  let role: Role | null = 'viewer'
  const roles: (Role | null)[] = []
  const leave = (name: string): void => {
    if (name === 'leave') role = null
  }
  const answers = await poll(['stay', 'leave'], leave, {
    role: async () => {
      roles.push(role)
      return role
    },
  })
  t.deepEqual(answers, ['200 {"news":"of the inside"}', '404 {"detail":"Not found"}'])
  t.deepEqual(roles, ['viewer', 'viewer', 'viewer', null])
})

test('a poll during which its caller’s role is lowered below that of the route answers 403', async (t) => {
  let role: Role = 'admin'
  const lower = (name: string): void => {
    if (name === 'lower') role = 'member'
  }
  const answers = await poll(['stay', 'lower'], lower, { role: async () => role }, 'admin')
  t.deepEqual(answers, [
    '200 {"news":"of the inside"}',
    '403 {"detail":"Your role in this organization does not allow this"}',
  ])
})

test('a poll that outlives its caller’s session answers 401', async (t) => {
  let isSignedIn = true
  const signOut = (name: string): void => {
    if (name === 'sign-out') isSignedIn = false
  }
  const answers = await poll(['stay', 'sign-out'], signOut, {
    session: async (token) => (isSignedIn ? await authenticator.session(token) : null),
  })
  t.deepEqual(answers, [
    '200 {"news":"of the inside"}',
    `401 ${JSON.stringify({ detail: unauthorized.session.detail })}`,
  ])
})
