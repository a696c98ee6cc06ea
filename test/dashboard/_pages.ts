// Every page of the dashboard, for the tests that hold all of them to account and for the pictures.
import type { Page } from 'playwright-core'
import { callRoute } from '../demo/interface.ts'

/** What paths are about; there is no trace and no agent in an empty workspace. */
export type Place = {
  readonly workspaceId: string
  readonly traceId: string | null
  readonly agentId: string | null
  readonly sessionId: string | null
}

export const nowhere: Place = { workspaceId: '', traceId: null, agentId: null, sessionId: null }

export type DashboardPage = {
  /** Of its folder in dashboard/src/pages. */
  readonly name: string
  /** Null where there is no such page of the place. */
  readonly path: (place: Place) => string | null
  /** Shown to people who are not signed in, and to no others. */
  readonly isOpen?: true
  /** A request of it waits for news, so that the network never rests. */
  readonly isStreaming?: true
}

export const dashboardPages: readonly DashboardPage[] = [
  { name: 'sign-in', path: () => '/sign-in', isOpen: true },
  { name: 'sign-up', path: () => '/sign-up', isOpen: true },
  { name: 'invite', path: () => '/invite/an-invite', isOpen: true },
  { name: 'start', path: ({ workspaceId }) => `/w/${workspaceId}/start` },
  { name: 'overview', path: ({ workspaceId }) => `/w/${workspaceId}?range=7d` },
  { name: 'agents', path: ({ workspaceId }) => `/w/${workspaceId}/agents?range=7d` },
  {
    name: 'agent',
    path: ({ workspaceId, agentId }) => (agentId === null ? null : `/w/${workspaceId}/agents/${agentId}?range=7d`),
  },
  { name: 'traces', path: ({ workspaceId }) => `/w/${workspaceId}/traces?range=7d` },
  {
    name: 'trace',
    path: ({ workspaceId, traceId }) => (traceId === null ? null : `/w/${workspaceId}/traces/${traceId}`),
  },
  {
    name: 'session',
    path: ({ workspaceId, sessionId }) =>
      sessionId === null ? null : `/w/${workspaceId}/sessions/${encodeURIComponent(sessionId)}`,
  },
  { name: 'events', path: ({ workspaceId }) => `/w/${workspaceId}/events?range=7d` },
  { name: 'live', path: ({ workspaceId }) => `/w/${workspaceId}/live`, isStreaming: true },
  { name: 'usage', path: ({ workspaceId }) => `/w/${workspaceId}/usage` },
  { name: 'keys', path: ({ workspaceId }) => `/w/${workspaceId}/keys` },
]

/** The workspace with its newest trace that has a session, and the agent of that. */
export async function findPlace(baseUrl: string, accessToken: string, workspaceId: string): Promise<Place> {
  const path = `/v1/workspaces/${workspaceId}/traces?limit=50`
  const { status, json } = await callRoute(baseUrl + path, 'GET', accessToken)
  if (status !== 200) throw new Error(`the list of traces answered ${status}`)
  const { items } = json as { items: { trace_id: string; agent_id: string; session_id: string | null }[] }
  const newest = items.find(({ session_id: id }) => id !== null) ?? items[0]
  return {
    workspaceId,
    traceId: newest?.trace_id ?? null,
    agentId: newest?.agent_id ?? null,
    sessionId: newest?.session_id ?? null,
  }
}

/** Resolves when the page has asked for everything and shows it. */
export async function openAndSettle(page: Page, path: string): Promise<void> {
  const isStreaming = dashboardPages.some((one) => one.isStreaming && new RegExp(`/${one.name}(\\?|$)`).test(path))
  await page.goto(path, { waitUntil: isStreaming ? 'load' : 'networkidle' })
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(
    "document.querySelector('[aria-busy=true]') === null && document.fonts.status === 'loaded'",
  )
}
