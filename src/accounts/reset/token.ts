// Reset tokens: 256 random bits, valid for one hour and one new password. Only their digest is stored.
import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../../store/database.ts'

const lifeMs = 3_600_000

export type ResetToken = { readonly token: string; readonly url: string; readonly expiresAt: Date }

type Deps = { readonly now: () => Date; readonly publicUrl: string }
/** `madeBy`: the owner who created the token, and the org for which; null: the user requested it. */
type Input = { readonly userId: string; readonly madeBy: { readonly userId: string; readonly orgId: string } | null }

/** One insert. */
export async function insertReset(tx: Tx, deps: Deps, { userId, madeBy }: Input): Promise<ResetToken> {
  const now = deps.now()
  const token = `tw_pr_${randomBytes(32).toString('base64url')}`
  const expiresAt = new Date(now.getTime() + lifeMs)
  const made = [madeBy?.userId ?? null, madeBy?.orgId ?? null]
  await tx.run('accounts/insert-reset', [digestReset(token), userId, ...made, now, expiresAt])
  return { token, url: makeResetUrl(deps.publicUrl, token), expiresAt }
}

/** The token is in the fragment of the URL, which browsers do not send: it stays out of logs and of the Referer header. */
const makeResetUrl = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/reset#token=${token}`

export const digestReset = (token: string): Buffer => createHash('sha256').update(token).digest()
