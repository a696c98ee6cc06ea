// react-aria empties its live regions by assigning an empty markup, for example between two changes of a date field. The page's
// policy (src/dashboard/policy.ts) lets no text become markup; only the empty text may pass.

type Factory = {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string | null }): unknown
}

/** Call it before anything is rendered. Does nothing in browsers without Trusted Types. */
export function allowEmptyMarkup(): void {
  const { trustedTypes } = window as { readonly trustedTypes?: Factory }
  // For a refused text the assignment throws, as it does without this policy.
  trustedTypes?.createPolicy('default', { createHTML: (text) => (text === '' ? text : null) })
}
