// Every page of the dashboard, for the tests that hold all of them to account and for the pictures.
import type { Page } from 'playwright-core'

/** What paths are about; there is no trace in an empty workspace. */
export type Place = { readonly workspaceId: string; readonly traceId: string | null }

export type DashboardPage = {
  readonly name: string
  /** Null where there is no such page of the place. */
  readonly path: (place: Place) => string | null
  /** Shown to people who are not signed in, and to no others. */
  readonly isOpen?: true
}

export const dashboardPages: readonly DashboardPage[] = [
  { name: 'sign-in', path: () => '/sign-in', isOpen: true },
  { name: 'sign-up', path: () => '/sign-up', isOpen: true },
  { name: 'start', path: ({ workspaceId }) => `/w/${workspaceId}/start` },
  { name: 'overview', path: ({ workspaceId }) => `/w/${workspaceId}?range=7d` },
  { name: 'traces', path: ({ workspaceId }) => `/w/${workspaceId}/traces?range=7d` },
  {
    name: 'trace',
    path: ({ workspaceId, traceId }) => (traceId === null ? null : `/w/${workspaceId}/traces/${traceId}`),
  },
  { name: 'usage', path: ({ workspaceId }) => `/w/${workspaceId}/usage` },
  { name: 'keys', path: ({ workspaceId }) => `/w/${workspaceId}/keys` },
]

/** Resolves when the page has asked for everything and shows it. */
export async function openAndSettle(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(
    "document.querySelector('[aria-busy=true]') === null && document.fonts.status === 'loaded'",
  )
}
