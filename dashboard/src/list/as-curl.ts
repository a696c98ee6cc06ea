import { stringifySearch } from '../window/index.ts'

/** Returns a curl command for a shell. Single quotes keep the shell from interpreting the values of filters. */
export function describeAsCurl(
  origin: string,
  workspaceId: string,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const url = `${origin}/v1/workspaces/${workspaceId}/${path}${stringifySearch(query)}`
  return `curl -s '${url.replaceAll("'", '%27')}' -H "authorization: Bearer $TRACEWRIGHT_TOKEN"`
}
