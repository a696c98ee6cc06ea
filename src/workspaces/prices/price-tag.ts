// The entity tag of a workspace's prices, by which a client replaces only what it has read (RFC 9110 section 13.1.1).

// What a workspace without prices has, in place of a revision: revisions are longer.
const noPrices = 'none'

/** The ETag of a revision; null: the workspace has no prices. */
export const tagOf = (revision: string | null): string => `"${revision ?? noPrices}"`

/** Whether If-Match names this revision, or asks for nothing. A weak tag counts: proxies that compress an answer mark its tag as weak. */
export const isMatch = (ifMatch: string | undefined, revision: string | null): boolean =>
  ifMatch === undefined ||
  ifMatch.trim() === '*' ||
  ifMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === tagOf(revision))
