// Refusals of requests about decisions, with the HTTP status and text of each.
import { notFound } from '../web/refuse.ts'
import type { RefusalTable } from '../web/route.ts'
import { type WorkspaceRoleCode, workspaceRoleRefusals } from '../workspaces/codes.ts'
import { allowedMoves } from './lifecycle.ts'
import type { MoveCode } from './move.ts'

/** No such decision in this workspace. */
export const decisionNotFound: RefusalTable<'unknown'> = { unknown: notFound }

const tooMany: RefusalTable<'too_many_decisions'> = {
  too_many_decisions: { status: 409, detail: 'This workspace has reached its limit of decisions; disable one first' },
}

export type ProposeCode = WorkspaceRoleCode | 'no_agent' | 'taken' | 'too_many_decisions'

export const proposeRefusals: RefusalTable<ProposeCode> = {
  ...workspaceRoleRefusals,
  no_agent: notFound,
  taken: { status: 409, detail: 'A decision with this type, tool, input and agent already exists; disable it first' },
  ...tooMany,
}

export type MoveByHandCode = WorkspaceRoleCode | MoveCode | 'taken' | 'not_proven' | 'too_many_decisions'

export const moveRefusals: RefusalTable<MoveByHandCode> = {
  ...workspaceRoleRefusals,
  ...decisionNotFound,
  ...tooMany,
  not_allowed: {
    status: 409,
    detail: `The decision cannot move from its current state to the requested one. Allowed moves: ${allowedMoves}`,
  },
  not_proven: {
    status: 409,
    detail:
      'not_proven: the gate has not proven this rule yet; wait, or activate it without a proof with "force": true',
  },
  moved_on: { status: 409, detail: 'The decision is not in the expected state; read it again' },
  taken: {
    status: 409,
    detail: 'Another decision with the same type, tool, input and agent has replaced it; disable that one first',
  },
}
