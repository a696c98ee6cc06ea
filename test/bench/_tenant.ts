// A workspace of its own for a run: what a service remembers of the one before it helps nobody, and nothing is a duplicate.
import { type SignedUp, signUp } from '../_kit/sign-up.ts'
import type { BenchPostgres } from './_postgres.ts'

/** Signs up, and lets the workspace keep as much of the content as `mode` says before the service knows of it. */
export async function makeTenant(
  baseUrl: string,
  { query }: BenchPostgres,
  mode: 'redacted' | 'full' = 'redacted',
): Promise<SignedUp> {
  const tenant = await signUp(baseUrl)
  await query('update workspaces set content_mode = $2 where id = $1', [tenant.workspaceId, mode])
  return tenant
}
