// The position of a find in a text.

/** A part of a text; `end` is not included. */
export type TextRange = { readonly start: number; readonly end: number }
