// The root route: what is rendered around every page, with or without a session.
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { NotFound } from '../ui/index.ts'
import { validateSearch } from '../window/index.ts'
import { FailedPage } from './FailedPage.tsx'
import { Notices } from './Notices.tsx'
import { usePageFocus } from './page-focus.ts'
import { SessionDialog } from './resume/SessionDialog.tsx'

export const rootRoute = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  validateSearch,
  component: Root,
  notFoundComponent: NothingHere,
  errorComponent: FailedPage,
})

/** Shown for unknown addresses outside of any workspace. */
function NothingHere() {
  return (
    <main>
      <NotFound />
    </main>
  )
}

function Root() {
  usePageFocus()
  return (
    <>
      <Notices />
      <Outlet />
      <SessionDialog />
    </>
  )
}
