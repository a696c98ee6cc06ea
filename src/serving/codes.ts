// Refusals of reading the rules.
import { unauthorized } from '../web/refuse.ts'
import type { RefusalTable } from '../web/route.ts'

/**
 * `no_key`: the key was revoked while its caller waited, or memory still held it after its workspace was deleted. To the caller it does not
 * exist.
 */
export type RulesCode = 'no_key'

export const rulesRefusals: RefusalTable<RulesCode> = { no_key: unauthorized.key }
