// Where users are sent after they have signed in, and why they came to the sign-in page.

/** The value of `reason` in its URL after an account was deleted. */
export const deletedReason = 'deleted'

/** Returns `next` if it is a path of this site other than sign-in and sign-up, else null: a link must not lead to another site. */
export function readNext(next: string | undefined): string | null {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return null
  return /^\/(sign-in|sign-up)(\/|\?|$)/.test(next) ? null : next
}
