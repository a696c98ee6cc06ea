// Whether a tool is read-only: as its spans state it (the SDK's `readOnly`, an MCP `readOnlyHint`), else by its name. A statement
// wins over the name in both directions.

const reading = new Set(['get', 'list', 'search', 'fetch', 'read', 'lookup', 'find', 'query'])

// One of these beside a reading verb stands for an effect: get_or_create, find_and_replace, query_update.
const writing = new Set(
  `add append apply approve archive assign book buy cancel charge clear close commit copy create delete deploy destroy disable drop
  edit email enable exec execute import insert install invite kill launch lock make mark merge modify move notify overwrite patch pay
  post publish purchase push put refund register reject remove rename replace reply reserve reset restart restore revoke run save
  schedule send set sign start stop submit subscribe sync transfer trigger uninstall unlock unsubscribe update upload upsert write`.split(
    /\s+/,
  ),
)

/** `stated`: what the spans of the tool state; null where they state nothing, and the name decides. */
export const looksReadOnly = (toolName: string, stated: boolean | null): boolean => stated ?? namesReading(toolName)

/**
 * Whether advice to serve stored results does no harm: the tool looks read-only, or its owner attested it and neither a statement nor the
 * name contradicts.
 */
export const isServable = (toolName: string, stated: boolean | null, isAttested: boolean): boolean =>
  stated ?? (namesReading(toolName) || (isAttested && !namesEffect(toolName)))

/** What helps against calls of a tool that are wasted: to attest it, to wait until a rule is proven, or to look whether they are meant. */
export function remedyOf(isReader: boolean, isAttested: boolean): 'attest' | 'rule' | 'review' {
  if (!isReader) return 'review'
  return isAttested ? 'rule' : 'attest'
}

/** True for a verb of reading as a word of the name, in whatever case, where no word is a verb of writing. */
const namesReading = (toolName: string): boolean =>
  wordsOf(ownName(toolName)).some((word) => reading.has(word)) && !namesEffect(toolName)

const namesEffect = (toolName: string): boolean => wordsOf(ownName(toolName)).some((word) => writing.has(word))

/** Without the server's name, as in mcp__search_server__delete_page. */
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
