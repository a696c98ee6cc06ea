// The entity tag of a workspace's prices, with which a client replaces only the prices that it has read (RFC 9110 section 13.1.1).

// Stands for a revision if the workspace has no prices. Revisions are longer.
const noPrices = 'none'

/** Returns the ETag of a revision; null: the workspace has no prices. */
export const tagOf = (revision: string | null): string => `"${revision ?? noPrices}"`

/** Whether If-Match is absent, `*`, or names this revision. A weak tag matches: proxies that compress an answer mark its tag as weak. */
export const isMatch = (ifMatch: string | undefined, revision: string | null): boolean =>
  ifMatch === undefined ||
  ifMatch.trim() === '*' ||
  ifMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === tagOf(revision))
