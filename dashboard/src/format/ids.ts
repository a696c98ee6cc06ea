// Ids are text everywhere: an id of digits alone, or one like 662e41, would be another id as a number.

const shownCharacters = 8

/** The first characters of an id, enough to recognise it. UUIDs of one minute begin alike, so they show their end. */
export const shortId = (id: string): string => (isUuid(id) ? id.slice(-shownCharacters) : id.slice(0, shownCharacters))

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
