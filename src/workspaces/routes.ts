// HTTP: workspaces.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import { maxCiphertextBytes } from '../event/event.ts'
import type { Database } from '../store/database.ts'
import { type Route, route } from '../web/route.ts'
import { dateTimeOut, trimmedText, uuid, uuidOut, workspaceParams } from '../web/shapes.ts'
import { readBootstrap } from './bootstrap.ts'
import { goneRefusals, makeCreateRefusals, workspaceRoleRefusals } from './codes.ts'
import { createWorkspace } from './create.ts'
import { deleteWorkspace } from './delete.ts'
import { listWorkspaces, type Workspace } from './list.ts'
import { makePriceRoutes } from './prices/routes.ts'
import type { KeepDaysOf } from './settings.ts'
import { makeSettingsRoutes } from './settings-routes.ts'

export type WorkspaceRouteDeps = {
  readonly db: Database
  readonly defaultPlan: string
  /** Called after the commit: must stop its keys, forget its members, wake the purge and notify the other processes. */
  readonly publishDeleted: (workspaceId: string) => void
  /** Called after the commit of new settings or prices, to invalidate caches of the old ones. */
  readonly publishSettings: (workspaceId: string) => void
  /** Number of workspaces on a free plan that one user may have created. */
  readonly freeWorkspaces: number
  readonly keepDaysOf: KeepDaysOf
  /** Limits and the interval that SDKs are told. */
  readonly maxTracesBodyBytes: number
  readonly rulesPollAfterS: number
}

const tag = 'Workspaces and keys'

const workspaceOut = z
  .object({ id: uuidOut, name: z.string(), org_id: uuidOut, org_name: z.string() })
  .meta({ id: 'Workspace' })

const bootstrapOut = z.object({
  workspace: workspaceOut,
  key: z.object({ id: uuidOut, name: z.string(), key_prefix: z.string() }),
  plan: z.string(),
  quota_exceeded: z.boolean(),
  ingest: z.object({ traces_path: z.string(), max_body_bytes: z.int(), encodings: z.array(z.string()) }),
  rules: z.object({ version: z.string(), poll_after_s: z.int() }),
  tool_results: z.object({ freshness_s: z.int(), max_ciphertext_bytes: z.int() }),
  server_time: dateTimeOut,
})

const show = ({ id, name, orgId, orgName }: Workspace) => ({ id, name, org_id: orgId, org_name: orgName })

export function makeWorkspaceRoutes(deps: WorkspaceRouteDeps): Route[] {
  const { db, freeWorkspaces, keepDaysOf, maxTracesBodyBytes, rulesPollAfterS } = deps
  const settingsDeps = { db, keepDaysOf, onChange: deps.publishSettings }
  return [
    route({
      method: 'GET',
      path: '/v1/workspaces',
      tag,
      summary: 'List the workspaces of all organizations of the caller',
      auth: 'session',
      status: 200,
      response: z.array(workspaceOut),
      handle: async ({ who }) => ok((await listWorkspaces(db, who.userId)).map(show)),
    }),
    route({
      method: 'POST',
      path: '/v1/workspaces',
      tag,
      summary: 'Create a workspace',
      description: `Requires the role admin or above. org_id is required only for members of several organizations. On the free plan a user can create ${freeWorkspaces} workspaces in the organizations that they belong to, including the workspace of the sign-up; deleted workspaces do not count.`,
      auth: 'session',
      body: z.object({ name: trimmedText(1, 100), org_id: uuid.nullish() }),
      status: 201,
      response: workspaceOut,
      refusals: makeCreateRefusals(freeWorkspaces),
      handle: async ({ who, body, request }) => {
        const input = { who, name: body.name, orgId: body.org_id ?? null, from: request }
        const outcome = await createWorkspace(deps, input)
        return outcome.ok ? ok(show(outcome.value)) : outcome
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/workspaces/{workspace_id}',
      tag,
      summary: 'Delete a workspace and everything in it',
      description:
        'Requires the role admin or above. The keys of the workspace stop working at once; the service removes its data soon after.',
      auth: 'session',
      params: workspaceParams,
      status: 204,
      refusals: workspaceRoleRefusals,
      handle: async ({ who, params, request }) =>
        await deleteWorkspace(deps, { who, workspaceId: params.workspace_id, from: request }),
    }),
    ...makeSettingsRoutes(settingsDeps),
    ...makePriceRoutes(settingsDeps),
    route({
      method: 'GET',
      path: '/v1/workspace/me',
      tag,
      summary: 'Get the workspace of the key and its limits, for SDKs',
      auth: 'key',
      status: 200,
      response: bootstrapOut,
      refusals: goneRefusals,
      handle: async ({ who }) => {
        const outcome = await readBootstrap(db, who)
        if (!outcome.ok) return outcome
        const { workspace, key, plan, isQuotaExceeded, rulesVersion, freshnessS, serverTime } = outcome.value
        return ok({
          workspace: show(workspace),
          key: { id: key.id, name: key.name, key_prefix: key.prefix },
          plan,
          quota_exceeded: isQuotaExceeded,
          ingest: {
            traces_path: '/v1/otlp/v1/traces',
            max_body_bytes: maxTracesBodyBytes,
            encodings: ['identity', 'gzip'],
          },
          rules: { version: rulesVersion, poll_after_s: rulesPollAfterS },
          tool_results: { freshness_s: freshnessS, max_ciphertext_bytes: maxCiphertextBytes },
          server_time: serverTime.toISOString(),
        })
      },
    }),
  ]
}
