// HTTP: API keys.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { type Route, route } from '../web/route.ts'
import { dateTimeOut, limitParam, offsetParam, trimmedText, uuid, uuidOut } from '../web/shapes.ts'
import { keyRefusals, mintRefusals } from './codes.ts'
import { type Key, listKeys } from './list.ts'
import { mintKey } from './mint.ts'
import { revokeKey } from './revoke.ts'

type Deps = { readonly db: Database; readonly onRevoked: (digestHex: string) => void }

const tag = 'Workspaces and keys'

const keyFields = {
  id: uuidOut,
  workspace_id: uuidOut,
  key_prefix: z.string(),
  name: z.string(),
  created_at: dateTimeOut,
  last_used_at: dateTimeOut.nullable(),
  revoked_at: dateTimeOut.nullable(),
}
const keyOut = z.object(keyFields).meta({ id: 'Key' })
const mintedOut = z.object({ ...keyFields, api_key: z.string() }).meta({ id: 'MintedKey' })

const show = (key: Key) => ({
  id: key.id,
  workspace_id: key.workspaceId,
  key_prefix: key.prefix,
  name: key.name,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
})

export function makeKeyRoutes(deps: Deps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/keys',
      tag,
      summary: 'Create an API key for a workspace',
      description:
        'Requires the role admin or above. Only this response contains api_key: the service stores only a hash of the key.',
      auth: 'session',
      body: z.object({ workspace_id: uuid, name: trimmedText(1, 100) }),
      status: 201,
      response: mintedOut,
      refusals: mintRefusals,
      handle: async ({ who, body, request }) => {
        const input = { who, workspaceId: body.workspace_id, name: body.name, from: request }
        const outcome = await mintKey(deps.db, input)
        return outcome.ok ? ok({ ...show(outcome.value.key), api_key: outcome.value.text }) : outcome
      },
    }),
    route({
      method: 'GET',
      path: '/v1/keys',
      tag,
      summary: 'List the API keys of one workspace, or of all workspaces of the caller',
      description: 'Newest first. Revoked keys are included.',
      auth: 'session',
      query: z.object({ workspace_id: uuid.optional(), limit: limitParam, offset: offsetParam }),
      status: 200,
      response: z.array(keyOut),
      refusals: keyRefusals,
      handle: async ({ who, query }) => {
        const { workspace_id: workspaceId = null, limit, offset } = query
        const outcome = await listKeys(deps.db, { who, workspaceId, limit, offset })
        return outcome.ok ? ok(outcome.value.map(show)) : outcome
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/keys/{key_id}',
      tag,
      summary: 'Revoke an API key',
      description:
        'Requires the role admin or above. Revoking a revoked key has no effect. The service stops accepting the key within one second.',
      auth: 'session',
      params: z.object({ key_id: uuid }),
      status: 204,
      refusals: keyRefusals,
      handle: async ({ who, params, request }) => await revokeKey(deps, { who, keyId: params.key_id, from: request }),
    }),
  ]
}
