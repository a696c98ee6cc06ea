import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { DecisionState, Time } from '../../ui/index.ts'
import { findTrip } from './facts.ts'
import { Notice } from './Notice.tsx'
import { trailQuery } from './queries.ts'

/** A rule that the gate ended. One that a person disabled is no news to people. */
export function TrippedRule({
  workspaceId,
  decision,
}: {
  readonly workspaceId: string
  readonly decision: Schemas['Decision']
}) {
  const { data: trail } = useQuery(trailQuery(workspaceId, decision.id))
  const trip = trail === undefined ? null : findTrip(trail)
  if (trip === null) return null
  const { tool_name: tool } = decision.config
  return (
    <Notice>
      <DecisionState state="disabled" isTripped /> The calls of <strong>{String(tool)}</strong> run for real again since{' '}
      <Time time={trip.at} isRelative />
      {trip.reason === null ? '.' : `: ${trip.reason}.`}
    </Notice>
  )
}
