import type { StatsScope } from '../../stats/queries.ts'

/** What each part of the page is of. */
export type PartProps = { readonly scope: StatsScope; readonly agentId: string }
