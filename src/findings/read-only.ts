// Determines whether a tool is read-only: by what its spans state (the SDK's `readOnly`, an MCP `readOnlyHint`), otherwise by its name. A
// statement takes precedence over the name in both directions.

const reading = new Set(['get', 'list', 'search', 'fetch', 'read', 'lookup', 'find', 'query'])

// Any of these next to a reading verb indicates an effect: get_or_create, find_and_replace, query_update.
const writing = new Set(
  `add append apply approve archive assign book buy cancel charge clear close commit copy create delete deploy destroy disable drop
  edit email enable exec execute import insert install invite kill launch lock make mark merge modify move notify overwrite patch pay
  post publish purchase push put refund register reject remove rename replace reply reserve reset restart restore revoke run save
  schedule send set sign start stop submit subscribe sync transfer trigger uninstall unlock unsubscribe update upload upsert write`.split(
    /\s+/,
  ),
)

/** `stated`: what the spans of the tool state; null if they state nothing, and the name decides. */
export const looksReadOnly = (toolName: string, stated: boolean | null): boolean => stated ?? namesReading(toolName)

/**
 * Returns true if advice to serve stored results does no harm: the tool looks read-only, or its owner attested it and neither a statement
 * nor the name contradicts.
 */
export const isServable = (toolName: string, stated: boolean | null, isAttested: boolean): boolean =>
  stated ?? (namesReading(toolName) || (isAttested && !namesEffect(toolName)))

/**
 * Returns the remedy for wasted calls of a tool: attest it, wait until a rule is proven, or review whether the calls are intended. `refuted`:
 * none, because the rule for them was disabled as wrong.
 */
export function remedyOf(
  isReader: boolean,
  isAttested: boolean,
  isRefuted: boolean,
): 'attest' | 'rule' | 'review' | 'refuted' {
  if (!isReader) return 'review'
  if (isRefuted) return 'refuted'
  return isAttested ? 'rule' : 'attest'
}

/** Returns true if a word of the name is a reading verb, in upper or lower case, and no word is a writing verb. */
const namesReading = (toolName: string): boolean =>
  wordsOf(ownName(toolName)).some((word) => reading.has(word)) && !namesEffect(toolName)

const namesEffect = (toolName: string): boolean => wordsOf(ownName(toolName)).some((word) => writing.has(word))

/** Returns the name without that of the server, as in mcp__search_server__delete_page. */
const ownName = (toolName: string): string => toolName.replace(/^mcp__.*?__/, '')

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}]+/u)
    .map((word) => word.toLowerCase())
    .join(' ')
    .replaceAll(/\blook up\b/g, 'lookup')
    .split(' ')
