// What reading the rules may be refused with.
import { unauthorized } from '../web/refuse.ts'
import type { RefusalTable } from '../web/route.ts'

/** `no_key`: revoked while its caller waited, or it outlived its workspace in a memory; to the caller it does not exist. */
export type RulesCode = 'no_key'

export const rulesRefusals: RefusalTable<RulesCode> = { no_key: unauthorized }
