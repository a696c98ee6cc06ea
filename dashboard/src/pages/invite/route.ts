import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { heldInviteToken, holdInviteToken, readInviteToken } from '../../app/invite-token.ts'
import { rootRoute } from '../../app/root-route.tsx'

/** Replaces the entry of the history, so that the token is not in it. */
function openInvite(token: string): never {
  holdInviteToken(token)
  throw redirect({ to: '/invite', replace: true })
}

export const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite',
  beforeLoad: ({ location }) => {
    const token = readInviteToken(location.hash)
    return token === null ? { inviteToken: heldInviteToken() } : openInvite(token)
  },
  component: lazyRouteComponent(() => import('./InvitePage.tsx'), 'InvitePage'),
})

/** Links of earlier releases. */
export const inviteByPathRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite/$token',
  beforeLoad: ({ params }) => openInvite(params.token),
})
