// An org as one of its members sees it.
import type { Role } from '../web/route.ts'

export type Org = { readonly id: string; readonly name: string; readonly role: Role }
