// Where people go once they are signed in.

/** A path of this site, or null: a link may not send people elsewhere. */
export function readNext(next: string | undefined): string | null {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return null
  return /^\/(sign-in|sign-up)(\/|\?|$)/.test(next) ? null : next
}
