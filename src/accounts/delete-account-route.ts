// HTTP: DELETE /v1/auth/me.
import { z } from 'zod'
import { type Route, route } from '../web/route.ts'
import { deleteAccountRefusals } from './codes.ts'
import { type DeleteAccountDeps, deleteAccount } from './delete-account.ts'
import { loginBody } from './shapes.ts'

export const makeDeleteAccountRoute = (deps: DeleteAccountDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v1/auth/me',
    tag: 'Auth and sessions',
    summary: 'Delete the signed-in user',
    description:
      'All sessions of the user end, and their address, name and password are removed. An organization without other members is deleted with its workspaces and all their data. The audit log keeps the id of the user. API keys that the user created in organizations with other members remain valid. Wrong passwords are limited by session, as for a password change: 429 with Retry-After.',
    auth: 'session',
    body: z.object({ current_password: loginBody.shape.password }),
    status: 204,
    endsSessions: true,
    refusals: deleteAccountRefusals,
    handle: async ({ who, body, request }) =>
      await deleteAccount(deps, { who, currentPassword: body.current_password, from: request }),
  })
