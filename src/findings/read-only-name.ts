// Floor 3. Whether the name of a tool says that it only reads. No span attribute carries an MCP `readOnlyHint`, so the name and
// the owner's attesting are all there is.

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

/** True for a verb of reading as a word of the name, in whatever case, where no word is a verb of writing. */
export const looksReadOnly = (toolName: string): boolean =>
  wordsOf(ownName(toolName)).some((word) => reading.has(word)) && !namesEffect(toolName)

/** Whether advice to serve stored results does no harm: the name says that the tool reads, or its owner attested it and the name does not contradict. */
export const isServable = (toolName: string, isAttested: boolean): boolean =>
  looksReadOnly(toolName) || (isAttested && !namesEffect(toolName))

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
