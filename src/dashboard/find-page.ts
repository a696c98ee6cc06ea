// The answer to a browser on a path without a route: the page, one of its files, or a notice that the dashboard is not ready.

import type { PageAnswer, PageRequest } from '../web/pages.ts'
import { isHeld, type Representations, select } from '../web/representation.ts'
import { pagePolicy } from './policy.ts'
import { type DashboardFiles, isAsset } from './read-files.ts'

export type DashboardState =
  | { readonly kind: 'ready'; readonly files: DashboardFiles }
  | { readonly kind: 'building' }
  | { readonly kind: 'missing' }

export const buildCommand = 'npm run build --workspace dashboard'
const retryAfterS = 2

/** These paths belong to programs, which get the 404 of the interface for a wrong path. */
const notPages = ['/v1', '/mcp', '/openapi.json', '/.well-known', '/healthz', '/readyz', '/reset']
const isOfPrograms = (path: string): boolean => notPages.some((one) => path === one || path.startsWith(`${one}/`))

/** Only looks the path up in memory: no path leads to a file that was not read at the start. */
export function findPage(state: DashboardState, request: PageRequest): PageAnswer | null {
  const { path } = request
  if (isOfPrograms(path)) return null
  if (state.kind !== 'ready') return request.wantsPage || isAsset(path) ? notices[state.kind] : null
  const file = path === '/' ? undefined : state.files.get(path)
  if (file !== undefined) return give(file, isAsset(path) ? 'dashboard asset' : 'dashboard file', request)
  // A missing script must not be answered with the page. For all other paths the page does its own routing.
  const page = request.wantsPage && !isAsset(path) ? state.files.get('/index.html') : undefined
  if (page === undefined) return null
  const answer = give(page, 'dashboard', request)
  return { ...answer, headers: { ...answer.headers, Vary: 'Accept, Accept-Encoding' } }
}

function give(file: Representations, name: string, request: PageRequest): PageAnswer {
  const form = select(file, request.acceptEncoding)
  const isCurrent = isHeld(request.ifNoneMatch, form)
  return {
    name,
    status: isCurrent ? 304 : 200,
    headers: { ...(isCurrent ? form.validators : form.fullHeaders), 'Content-Security-Policy': pagePolicy },
    body: isCurrent ? null : form.body,
  }
}

const buildingPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${retryAfterS}">
<title>Tracewright</title>
<h1>The dashboard is being built</h1>
<p>This happens once and takes some seconds. The page then loads by itself.</p>
</html>
`

/** The answers of the states without files. */
const notices: Readonly<Record<'building' | 'missing', PageAnswer>> = {
  building: {
    name: 'dashboard',
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(retryAfterS),
    },
    body: Buffer.from(buildingPage),
  },
  missing: {
    name: 'dashboard',
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    body: Buffer.from(
      `The dashboard is not built. Run \`${buildCommand}\` in the folder of the service, and start the service again.\n`,
    ),
  },
}
