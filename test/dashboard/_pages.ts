// Every page of the dashboard, for the tests that check all of them and for the screenshots.
import type { Page, Request } from 'playwright-core'
import { until } from '../_kit/until.ts'
import { callRoute } from '../demo/interface.ts'

/** The parameters of paths; an empty workspace has no trace, no agent and no decision. */
export type Place = {
  readonly workspaceId: string
  /** Null if the pages outside of workspaces were already visited. */
  readonly orgId: string | null
  readonly traceId: string | null
  readonly agentId: string | null
  readonly decisionId: string | null
  readonly sessionId: string | null
  /** The token of an open invite. */
  readonly inviteToken: string | null
}

export const nowhere: Place = {
  workspaceId: '',
  orgId: null,
  traceId: null,
  agentId: null,
  decisionId: null,
  sessionId: null,
  inviteToken: null,
}

export type DashboardPage = {
  /** Name of its folder in dashboard/src/pages. */
  readonly name: string
  /** Distinguishes several pages in one folder. */
  readonly part?: string
  /** Null if the place has no such page. */
  readonly path: (place: Place) => string | null
  /** Shown only to users who are not signed in. */
  readonly isOpen?: true
  /** One of its requests waits for news, so the network never becomes idle. */
  readonly isStreaming?: true
}

export const dashboardPages: readonly DashboardPage[] = [
  { name: 'sign-in', path: () => '/sign-in', isOpen: true },
  { name: 'sign-up', path: () => '/sign-up', isOpen: true },
  {
    name: 'invite',
    path: ({ inviteToken: token }) => (token === null ? null : `/invite#token=${token}`),
    isOpen: true,
  },
  { name: 'forgot-password', path: () => '/forgot-password', isOpen: true },
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
  { name: 'decisions', path: ({ workspaceId }) => `/w/${workspaceId}/decisions` },
  {
    name: 'decision',
    path: ({ workspaceId, decisionId }) => (decisionId === null ? null : `/w/${workspaceId}/decisions/${decisionId}`),
  },
  { name: 'findings', path: ({ workspaceId }) => `/w/${workspaceId}/findings` },
  { name: 'savings', path: ({ workspaceId }) => `/w/${workspaceId}/savings?range=7d` },
  { name: 'usage', path: ({ workspaceId }) => `/w/${workspaceId}/usage` },
  { name: 'telemetry', path: ({ workspaceId }) => `/w/${workspaceId}/telemetry?range=7d` },
  { name: 'keys', path: ({ workspaceId }) => `/w/${workspaceId}/keys` },
  ...['general', 'rules', 'prices', 'retention', 'audit', 'export', 'danger'].map((part) => ({
    name: 'settings',
    part,
    path: ({ workspaceId }: Place) => `/w/${workspaceId}/settings/${part}`,
  })),
  ...['general', 'members', 'invites', 'workspaces', 'audit'].map((part) => ({
    name: 'org-settings',
    part,
    path: ({ orgId }: Place) => (orgId === null ? null : `/o/${orgId}/settings/${part}`),
  })),
  { name: 'account', path: ({ orgId }) => (orgId === null ? null : '/account') },
]

/** Returns the workspace with its newest trace that has a session, the agent of that trace, and the decision that changed last. */
export async function findPlace(baseUrl: string, accessToken: string, workspaceId: string): Promise<Place> {
  const read = async (path: string): Promise<unknown> => {
    const { status, json } = await callRoute(baseUrl + path, 'GET', accessToken)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    return json
  }
  const of = `/v1/workspaces/${workspaceId}`
  type Trace = { trace_id: string; agent_id: string; session_id: string | null }
  const { items } = (await read(`${of}/traces?limit=50`)) as { items: Trace[] }
  const newest = items.find(({ session_id: id }) => id !== null) ?? items[0]
  const [changed] = (await read(`${of}/decisions?limit=1`)) as { id: string }[]
  const workspaces = (await read('/v1/workspaces')) as { id: string; org_id: string }[]
  return {
    workspaceId,
    orgId: workspaces.find(({ id }) => id === workspaceId)?.org_id ?? null,
    traceId: newest?.trace_id ?? null,
    agentId: newest?.agent_id ?? null,
    decisionId: changed?.id ?? null,
    sessionId: newest?.session_id ?? null,
    inviteToken: null,
  }
}

/** Returns a place for strangers: an invite to the organization. */
export async function inviteStranger(baseUrl: string, accessToken: string, orgId: string): Promise<Place> {
  const body = { email: 'stranger@example.com', role: 'member' }
  const { json } = await callRoute(`${baseUrl}/v1/orgs/${orgId}/invites`, 'POST', accessToken, body)
  return { ...nowhere, inviteToken: (json as { token: string }).token }
}

const isStreamingAt = (path: string): boolean =>
  dashboardPages.some((one) => one.isStreaming && new RegExp(`/${one.name}(\\?|$)`).test(path))

/** Resolves when the page has received everything it requested and shows it. */
export async function openAndSettle(page: Page, path: string): Promise<void> {
  const isStreaming = isStreamingAt(path)
  const open = async (): Promise<void> => {
    // The network of a page that polls never becomes idle on a slow machine.
    await page.goto(path)
    await page.locator('h1').first().waitFor()
  }
  await actAndSettle(page, open, isStreaming)
}

/**
 * As `openAndSettle`, but goes there as a link does where the app is already open. This takes half of the CPU, since the app does not start
 * again. What it has cached it shows for some seconds, so a test that changed something meanwhile opens the page.
 */
export async function goAndSettle(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank') return await openAndSettle(page, path)
  await actAndSettle(page, async () => await go(page, path), isStreamingAt(path))
}

/** As `goAndSettle`, without waiting for the data of the page. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  await until(async () => await page.evaluate<boolean>(hasArrived))
}

/** An address without a page: the app shows neither its frame nor data there. */
const nowhereInApp = '/nowhere'

/** Leaves the page that the app shows, and removes what was cached: the next page is shown as after a reload. */
export async function forget(page: Page): Promise<void> {
  await go(page, nowhereInApp)
  await page.evaluate('__TSR_ROUTER__.options.context.queries.clear()')
}

/** As `goAndSettle`, without what was cached. */
export async function goAnewAndSettle(page: Page, path: string): Promise<void> {
  await forget(page)
  await goAndSettle(page, path)
}

/** Resolves when everything that follows from `act` has been requested and is shown. */
export async function actAndSettle(page: Page, act: () => Promise<void>, isStreaming = false): Promise<void> {
  const requests = watchRequests(page)
  try {
    await act()
    await until(async () => {
      const asked = requests.asked()
      // Not a function that waits in the page: the policy forbids the page to evaluate a text, except the first time.
      const isShown = await page.evaluate<boolean>(isStreaming ? isRendered : isSettled)
      return isShown && (isStreaming || (requests.open() === 0 && requests.asked() === asked))
    })
  } finally {
    requests.stop()
  }
}

/** Clicks the elements with these texts, all before the page can render once. */
export async function clickAtOnce(page: Page, selector: string, texts: readonly string[]): Promise<void> {
  await page.evaluate(`(() => {
    const all = [...document.querySelectorAll(${JSON.stringify(selector)})]
    for (const text of ${JSON.stringify(texts)}) all.find((one) => one.innerText.trim() === text).click()
  })()`)
}

/** The router has shown the page of the address, which changes before the page does. */
const hasArrived = '__TSR_ROUTER__.state.resolvedLocation?.href === __TSR_ROUTER__.latestLocation.href'

/**
 * No query waits for its first attempt. The browser reports a response as received before the page has read it, so without this a page can
 * seem settled that has not rendered its newest data.
 */
const isIdle =
  '__TSR_ROUTER__.options.context.queries.isFetching({ predicate: ({ state }) => state.fetchFailureCount === 0 }) === 0'

/** Received data is rendered after two frames, and the requests that follow from it are sent. */
const isRendered = `(async () => {
  const frame = () => new Promise((turn) => requestAnimationFrame(turn))
  await frame()
  await frame()
  await new Promise((turn) => setTimeout(turn))
  return document.querySelector('[aria-busy=true], [class*=skeleton]') === null && document.fonts.status === 'loaded'
})()`

const isStill = `${isIdle} && ${hasArrived}`

const isSettled = `(async () => ${isStill} && (await ${isRendered}) && ${isStill})()`

type Requests = { readonly asked: () => number; readonly open: () => number; readonly stop: () => void }

/** Counts the requests of the page from now on. */
function watchRequests(page: Page): Requests {
  const open = new Set<Request>()
  let asked = 0
  const begin = (request: Request): void => {
    asked += 1
    open.add(request)
  }
  const end = (request: Request): void => void open.delete(request)
  page.on('request', begin)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return {
    asked: () => asked,
    open: () => open.size,
    stop: () => {
      page.off('request', begin)
      page.off('requestfinished', end)
      page.off('requestfailed', end)
    },
  }
}
