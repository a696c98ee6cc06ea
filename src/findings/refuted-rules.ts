// Determines whether a rule for the wasted calls of a tool was disabled because its results were wrong too often. A finding then promises
// nothing that a rule would have to hold.
import type { ScanContext } from './detector.ts'

type Row = { readonly tool_name: string; readonly agent_id: string | null }

export type RefutedRules = {
  /** `agentId` null: the calls of several agents. */
  readonly has: (toolName: string, agentId: string | null) => boolean
}

export async function readRefutedRules(
  { rows, workspaceId }: Pick<ScanContext, 'rows' | 'workspaceId'>,
  type: 'reuse_identity' | 'suppress_dead',
): Promise<RefutedRules> {
  const refuted = await rows<Row>('findings/list-refuted-rules', [workspaceId, type])
  return {
    has: (toolName, agentId) =>
      refuted.some((one) => one.tool_name === toolName && (one.agent_id === null || one.agent_id === agentId)),
  }
}

export const refutedBasis = 'a rule for these calls was disabled, because its results were wrong too often'
