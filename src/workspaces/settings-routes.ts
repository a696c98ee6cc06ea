// HTTP: the settings of a workspace.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import { contentModes } from '../redact/content-mode.ts'
import { type Route, route } from '../web/route.ts'
import { trimmedText, workspaceParams } from '../web/shapes.ts'
import { goneRefusals, settingsRefusals } from './codes.ts'
import { ruleFields } from './rule-defaults.ts'
import { changeSettings, readSettings, type SettingsDeps, type WorkspaceSettings } from './settings.ts'

const maxDays = 36_500

const about = {
  content_mode:
    'The content of messages and tool calls that is stored: `full` as sent, `redacted` after redaction, `none` nothing. Applies to events that arrive later',
  default_freshness_s: 'The maximum age of a served result, in seconds, for rules that do not set another',
  auto_shadow: 'If true, the service moves proposed decisions to shadow; if false, a user must move them',
  holdout_rate: 'The share of matched calls that run for real while a rule is active; for rules proposed from now on',
  floor: 'The share of right results that a rule must surpass; for rules proposed from now on',
  alpha: 'The maximum probability that a rule at or below the floor is ever proven; for rules proposed from now on',
  retention_days:
    'Days for which events, traces, results and findings are kept; null: the retention of the plan. Older data is removed within hours',
} as const

const settingsOut = z
  .object({
    name: z.string(),
    plan: z.string(),
    content_mode: z.enum(contentModes).meta({ description: about.content_mode }),
    default_freshness_s: z.int().meta({ description: about.default_freshness_s }),
    auto_shadow: z.boolean().meta({ description: about.auto_shadow }),
    holdout_rate: z.number().meta({ description: about.holdout_rate }),
    floor: z.number().meta({ description: about.floor }),
    alpha: z.number().meta({ description: about.alpha }),
    retention_days: z.int().nullable().meta({ description: about.retention_days }),
    plan_retention_days: z.int().nullable().meta({ description: 'Days for which the plan keeps them; null: no limit' }),
  })
  .meta({ id: 'WorkspaceSettings' })

const settingsIn = z.object({
  name: trimmedText(1, 100).optional(),
  content_mode: z.enum(contentModes).optional().meta({ description: about.content_mode }),
  default_freshness_s: ruleFields.freshness_s.optional().meta({ description: about.default_freshness_s }),
  auto_shadow: z.boolean().optional().meta({ description: about.auto_shadow }),
  holdout_rate: ruleFields.holdout_rate.optional().meta({ description: about.holdout_rate }),
  floor: ruleFields.floor.optional().meta({ description: about.floor }),
  alpha: ruleFields.alpha.optional().meta({ description: about.alpha }),
  retention_days: z.int().min(1).max(maxDays).nullable().optional().meta({ description: about.retention_days }),
})

const common = {
  path: '/v1/workspaces/{workspace_id}/settings',
  tag: 'Workspaces and keys',
  auth: 'session',
  params: workspaceParams,
} as const

export function makeSettingsRoutes(deps: SettingsDeps): Route[] {
  const show = (settings: WorkspaceSettings): z.input<typeof settingsOut> => ({
    name: settings.name,
    plan: settings.plan,
    content_mode: settings.content_mode,
    default_freshness_s: settings.freshness_s,
    auto_shadow: !settings.approves_decisions,
    holdout_rate: settings.holdout_rate,
    floor: settings.floor,
    alpha: settings.alpha,
    retention_days: settings.retention_days,
    plan_retention_days: deps.keepDaysOf(settings.plan, null),
  })
  return [
    route({
      ...common,
      method: 'GET',
      summary: 'Get the settings of a workspace',
      role: 'viewer',
      status: 200,
      response: settingsOut,
      refusals: goneRefusals,
      handle: async ({ params }) => {
        const outcome = await readSettings(deps.db, params.workspace_id)
        return outcome.ok ? ok(show(outcome.value)) : outcome
      },
    }),
    route({
      ...common,
      method: 'PATCH',
      summary: 'Change the settings of a workspace',
      description:
        'Requires the role admin or above. Omitted fields keep their values. The plan cannot be changed here, and existing rules keep their settings.',
      role: 'admin',
      body: settingsIn,
      status: 200,
      response: settingsOut,
      refusals: settingsRefusals,
      handle: async ({ who, params, body, request }) => {
        const { default_freshness_s: freshnessS, auto_shadow: autoShadow, ...rest } = body
        const approves = autoShadow === undefined ? undefined : !autoShadow
        const values = { ...rest, freshness_s: freshnessS, approves_decisions: approves }
        const change = { who, workspaceId: params.workspace_id, values, from: request }
        const outcome = await changeSettings(deps, change)
        return outcome.ok ? ok(show(outcome.value)) : outcome
      },
    }),
  ]
}
