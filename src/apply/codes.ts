// Floor 3. What reading the rules may be refused with.
import { unauthorized } from '../web/refuse.ts'
import type { RefusalTable } from '../web/route.ts'

/** `workspace_deleted`: the key outlived its workspace in a memory; to the caller it is a key that does not exist. */
export type RulesCode = 'workspace_deleted'

export const rulesRefusals: RefusalTable<RulesCode> = { workspace_deleted: unauthorized }
