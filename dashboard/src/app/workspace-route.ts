// The route of the pages of one workspace, inside the frame.
import { createRoute } from '@tanstack/react-router'
import { WorkspaceFrame } from './frame/WorkspaceFrame.tsx'
import { requireSession } from './guard.ts'
import { rootRoute } from './root-route.tsx'

/** The parent of every page of a workspace. */
export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/w/$workspace_id',
  beforeLoad: ({ location }) => requireSession(location),
  component: WorkspaceFrame,
})
