import type { Scope } from '../../stats/queries.ts'

/** The properties that all parts of the page have. */
export type PartProps = { readonly scope: Scope; readonly agentId: string }

/** The most groups that the service returns in one response. */
export const mostGroups = 100
