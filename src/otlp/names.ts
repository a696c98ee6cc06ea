// The names under which senders tell one thing, as constants that a reader of attributes can remember.

/** In the order of trust. `id` is its own: what was found for it is remembered under it. */
export type Names = { readonly id: number; readonly all: readonly string[] }

let made = 0

/** To be called for constants only, when their file is loaded. */
export const anyOf = (...all: readonly string[]): Names => ({ id: made++, all })
