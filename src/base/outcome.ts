// The return value of operations for which "no" is an expected answer.

export type Ok<T> = { readonly ok: true; readonly value: T }

/** An expected "no". `code` comes from the capability's closed table in its `codes.ts`. */
export type Refusal<C extends string = string> = { readonly ok: false; readonly code: C }

export type Outcome<T, C extends string> = Ok<T> | Refusal<C>

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value })

export const refuse = <C extends string>(code: C): Refusal<C> => ({ ok: false, code })
