// A new workspace for each run: no cache of an earlier run helps, and no span is a duplicate.
import { signUp, type Tenant } from '../_kit/sign-up.ts'
import type { BenchPostgres } from './_postgres.ts'

/** Signs up, and sets the content mode of the workspace before the service has cached it. */
export async function makeTenant(
  baseUrl: string,
  { query }: BenchPostgres,
  mode: 'redacted' | 'full' = 'redacted',
): Promise<Tenant> {
  const tenant = await signUp(baseUrl)
  await query('update workspaces set content_mode = $2 where id = $1', [tenant.workspaceId, mode])
  return tenant
}
