import { stringifySearch } from '../window/index.ts'

/** A line for a shell. Single quotes keep what a filter holds from being read by the shell. */
export function describeAsCurl(
  origin: string,
  workspaceId: string,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const url = `${origin}/v1/workspaces/${workspaceId}/${path}${stringifySearch(query)}`
  return `curl -s '${url.replaceAll("'", '%27')}' -H "authorization: Bearer $TRACEWRIGHT_TOKEN"`
}
