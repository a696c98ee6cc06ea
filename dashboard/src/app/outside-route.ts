// The parent route of the pages for signed-in users that belong to no workspace: their account and their organizations.
import { createRoute } from '@tanstack/react-router'
import { OutsideFrame } from './frame/OutsideFrame.tsx'
import { requireSession } from './guard.ts'
import { rootRoute } from './root-route.tsx'

export const outsideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'outside',
  beforeLoad: ({ location }) => requireSession(location),
  component: OutsideFrame,
})
