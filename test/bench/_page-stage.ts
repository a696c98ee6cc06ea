// The environment of the dashboard benches: a browser, a service with its PostgreSQL, and a signed-in user.
import type { Page } from 'playwright-core'
import type { TestBrowser } from '../_kit/browser.ts'
import { signUp, type Tenant } from '../_kit/sign-up.ts'
import { until } from '../_kit/until.ts'
import { type Person, signIn } from '../dashboard/_sign-in.ts'
import { type Condition, pageClock } from './_page-clock.ts'
import type { BenchPostgres } from './_postgres.ts'

export type Stage = {
  readonly baseUrl: string
  readonly browser: TestBrowser
  readonly query: BenchPostgres['query']
}

const viewport = { width: 1_440, height: 900 }
const settleMs = 120_000

export const addTenant = async ({ baseUrl }: Pick<Stage, 'baseUrl'>): Promise<Tenant> => await signUp(baseUrl)

/** Resolves when no trace of the workspace waits to be settled: a page reloads unsettled traces. */
export async function settle({ query }: Pick<Stage, 'query'>, workspaceId: string): Promise<void> {
  await until(async () => {
    const [row] = await query<{ left: number }>(
      'select count(*)::int as left from traces where workspace_id = $1 and not settled',
      [workspaceId],
    )
    return row?.left === 0
  }, settleMs)
}

type Opened = {
  readonly person: Person
  /** The condition that the clock of each document waits for from its start. */
  readonly loaded?: Condition | null
}

/** Opens a page with empty caches and closes it at the end. Throws if the page reported an error. */
export async function withPage<T>(
  { baseUrl, browser }: Pick<Stage, 'baseUrl' | 'browser'>,
  { person, loaded }: Opened,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const ends: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const end of ends) await end()
  }
  const { page } = await browser.open({ teardown: (end) => void ends.push(end) }, baseUrl, { viewport })
  try {
    await signIn(page, baseUrl, person)
    await page.addInitScript(pageClock(loaded ?? null))
    const result = await work(page)
    await close()
    return result
  } catch (error) {
    // The first error explains more than the ones that follow from it.
    await close().catch(() => undefined)
    throw error
  }
}
