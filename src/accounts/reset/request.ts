// Requests a password reset by mail. The response time does not depend on whether the address has an account: the account is
// looked up, and the mail sent, after the answer.
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { EmailAddress } from '../address/email-address.ts'
import type { MailQueue } from '../mail/queue.ts'
import type { Mail } from '../mail/smtp.ts'
import type { Throttle } from '../throttle.ts'
import { insertReset } from './token.ts'

export type RequestDeps = {
  readonly db: Database
  readonly throttle: Throttle
  readonly now: () => Date
  readonly publicUrl: string
  /** Null: the service has no mail server, so no token is created. */
  readonly mails: MailQueue | null
}
type Input = { readonly email: EmailAddress; readonly from: Origin }

/** Two statements for every address. Throws Outage: 429 over the limit of the client's IP address. */
export async function requestReset(deps: RequestDeps, input: Input): Promise<void> {
  const isWithin = await deps.throttle.reset(input.email.canonical, input.from.ip)
  if (isWithin) deps.mails?.add(async () => await prepareMail(deps, input))
}

/** Returns null if no account has the address. Sends to the stored address, not to the typed one: they may differ in invisible ways. */
async function prepareMail(deps: RequestDeps, { email, from }: Input): Promise<Mail | null> {
  const user = await deps.db.row<{ id: string; email: string }>('accounts/find-user-by-email', [email.forms])
  if (user === null) return null
  const { url } = await deps.db.tx(async (tx) => {
    await writeAudit(tx, { action: 'auth.reset_request', from, userId: null, target: user.id })
    return await insertReset(tx, deps, { userId: user.id, madeBy: null })
  })
  return {
    to: user.email,
    subject: 'Reset your Tracewright password',
    text: `Somebody asked for a new password for the Tracewright account with this e-mail address.

To choose one, open this link within one hour. It works once.

${url}

If it was not you, do nothing: the password stays as it is.
`,
  }
}
