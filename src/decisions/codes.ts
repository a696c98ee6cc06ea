// Floor 3. Every "no" about a decision and what the caller is told.
import { notFound } from '../web/refuse.ts'
import type { RefusalTable } from '../web/route.ts'
import { type StandingCode, standingRefusals } from '../workspaces/codes.ts'
import type { MoveCode } from './move.ts'

/** No such decision in this workspace. */
export const absent: RefusalTable<'unknown'> = { unknown: notFound }

export type ProposeCode = StandingCode | 'no_agent' | 'taken' | 'too_many_decisions'

export const proposeRefusals: RefusalTable<ProposeCode> = {
  ...standingRefusals,
  no_agent: notFound,
  taken: { status: 409, detail: 'A decision with this type, tool, input and agent exists and is not disabled' },
  too_many_decisions: { status: 409, detail: 'This workspace has as many decisions that are not disabled as it may' },
}

export type MoveByHandCode = StandingCode | MoveCode | 'taken'

export const moveRefusals: RefusalTable<MoveByHandCode> = {
  ...standingRefusals,
  ...absent,
  not_allowed: { status: 409, detail: 'A decision in this state cannot go to that state' },
  moved_on: { status: 409, detail: 'The decision is in another state than expected' },
  taken: { status: 409, detail: 'Another decision with the same type, tool, input and agent took its place' },
}
