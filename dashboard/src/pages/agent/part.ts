import type { Scope } from '../../stats/queries.ts'

/** What each part of the page is of. */
export type PartProps = { readonly scope: Scope; readonly agentId: string }

/** The most groups that the service gives in one answer. */
export const mostGroups = 100
