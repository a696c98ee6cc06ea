// Checks the percent-encoded parts of a URL, which URL itself leaves as they are.

/** Whether user, password, host and path of the URL can be decoded. */
export function hasValidEscapes({ username, password, hostname, pathname }: URL): boolean {
  try {
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
