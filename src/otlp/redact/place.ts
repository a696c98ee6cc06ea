// Where something stands in a text.

/** Part of a text, the end not included. */
export type Place = { readonly start: number; readonly end: number }
