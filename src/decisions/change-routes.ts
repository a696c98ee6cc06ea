// HTTP routes that propose a decision by hand and move one through its lifecycle.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import type { Database } from '../store/database.ts'
import { type Route, route } from '../web/route.ts'
import { trimmedText, uuid, workspaceParams } from '../web/shapes.ts'
import { moveRefusals, proposeRefusals } from './codes.ts'
import { proposalIn } from './config.ts'
import { decisionOut, showDecision } from './decision-shape.ts'
import { allowedMoves, states } from './lifecycle.ts'
import { moveByHand } from './move-by-hand.ts'
import { proposeByHand } from './propose-by-hand.ts'

export type DecisionChangeDeps = {
  /** For transactions that write. */
  readonly control: Database
  /** Called after the commit of a change to the active rules, to notify those that hold the old ones. */
  readonly publishRules: (workspaceId: string) => void
}

const path = '/v1/workspaces/{workspace_id}/decisions'
const tag = 'Decisions'

const moveIn = z.object({
  to: z.enum(states),
  reason: trimmedText(1, 500).nullish(),
  force: z.boolean().nullish().meta({
    description:
      'Activates a rule that is not proven. It serves results up to config.freshness_s old; held-out calls are still measured',
  }),
  expected_state: z
    .enum(states)
    .nullish()
    .meta({ description: 'The request fails with 409 if the decision is not in this state' }),
})

export function makeDecisionChangeRoutes({ control, publishRules }: DecisionChangeDeps): Route[] {
  return [
    route({
      method: 'POST',
      path,
      tag,
      summary: 'Propose a decision',
      description:
        'Requires the role member or above. Omitted fields of config get their defaults. At most one decision that is not disabled can exist for a type, tool, input and agent, and at most 1,000 in all; one with a config longer than 1.5 KiB counts once for each 1.5 KiB.',
      auth: 'session',
      role: 'member',
      params: workspaceParams,
      body: proposalIn,
      status: 201,
      response: decisionOut,
      refusals: proposeRefusals,
      handle: async ({ who, params, body, request }) => {
        const { type, tool_name, tool_version, agent_id } = body
        const input_hash = type === 'suppress_dead' ? null : body.input_hash
        const config = { ...body.config, tool_name, tool_version, input_hash, agent_id }
        const input = { who, workspaceId: params.workspace_id, type, config, from: request }
        const outcome = await proposeByHand(control, input)
        return outcome.ok ? ok(showDecision(outcome.value)) : outcome
      },
    }),
    route({
      method: 'POST',
      path: `${path}/{decision_id}/transitions`,
      tag,
      summary: 'Move a decision to another state',
      description: `Requires the role member or above. Allowed moves: ${allowedMoves}. A rule that is not proven becomes active only with force. A rule that a user moves from active to shadow stays there until a user activates it. A disabled rule returns only within the limit of decisions.`,
      auth: 'session',
      role: 'member',
      params: workspaceParams.extend({ decision_id: uuid }),
      body: moveIn,
      status: 200,
      response: decisionOut,
      refusals: moveRefusals,
      handle: async ({ who, params, body, request }) => {
        const outcome = await moveByHand(
          { db: control, publishRules },
          {
            who,
            workspaceId: params.workspace_id,
            decisionId: params.decision_id,
            to: body.to,
            reason: body.reason ?? undefined,
            isForced: body.force ?? false,
            expectedState: body.expected_state ?? undefined,
            from: request,
          },
        )
        return outcome.ok ? ok(showDecision(outcome.value)) : outcome
      },
    }),
  ]
}
