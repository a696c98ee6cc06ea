// The attribute names under which senders report one value, as constants for which a reader of attributes can cache look-ups.

/** Names in the order of trust. `id` is unique: readers cache by it which of the names are present. */
export type Names = { readonly id: number; readonly all: readonly string[] }

let made = 0

/** Call it only for constants, when their file is loaded: ids are never reused. */
export const anyOf = (...all: readonly string[]): Names => ({ id: made++, all })
