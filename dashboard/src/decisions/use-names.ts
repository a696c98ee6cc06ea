// Names for the user ids and agent ids of a decision.
import { useQuery } from '@tanstack/react-query'
import { useAgents } from '../agents/use-agents.ts'
import { useOrg } from '../app/use-role.ts'
import { shortId } from '../format/index.ts'
import { membersQuery } from '../settings/org-queries.ts'
import type { Transition } from './score.ts'

/** Returns a function that names the actor of a move. */
export function useActorNames(workspaceId: string): (move: Pick<Transition, 'actor' | 'user_id'>) => string {
  const org = useOrg(workspaceId)
  const { data: members } = useQuery({ ...membersQuery(org?.id ?? ''), enabled: org !== null })
  return ({ actor, user_id: userId }) => {
    if (actor === 'gate') return 'the service'
    const member = members?.find((one) => one.user_id === userId)
    if (member !== undefined) return member.name ?? member.email
    return members === undefined ? 'a person' : 'a former member'
  }
}

/** Returns a function that names an agent. It returns null for null, which means every agent. */
export function useAgentNames(workspaceId: string): (agentId: string | null) => string | null {
  const { data: agents } = useAgents(workspaceId)
  return (agentId) => {
    if (agentId === null) return null
    return agents?.find(({ id }) => id === agentId)?.name ?? `agent ${shortId(agentId)}`
  }
}
