// Ids are always text: as a number, an id that consists of digits, or one like 662e41, would be another id.

const shownCharacters = 8

/** Returns the first characters of an id, for recognition. For a UUID it returns the last ones, since UUIDs of one minute begin alike. */
export const shortId = (id: string): string => (isUuid(id) ? id.slice(-shownCharacters) : id.slice(0, shownCharacters))

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
