// Requests and names of tools as lines of text: the form in which the row of an event stores them.
import type { ToolRequest } from './event.ts'

const separators = /[\t\n]/g

/** Returns a name or an id with tabs and line feeds replaced by spaces. */
export const asLine = (text: string): string => text.replaceAll(separators, ' ')

/** Returns a line `id<TAB>name` for each request, with an empty id where there is none; null without requests. */
export const writeToolRequests = (requests: readonly ToolRequest[]): string | null =>
  requests.length === 0 ? null : requests.map(({ id, name }) => `${id ?? ''}\t${name}`).join('\n')

export const parseToolRequests = (lines: string | null): readonly ToolRequest[] =>
  lines === null ? noRequests : lines.split('\n').map(parseRequest)

function parseRequest(line: string): ToolRequest {
  const tab = line.indexOf('\t')
  return { id: tab <= 0 ? null : line.slice(0, tab), name: line.slice(tab + 1) }
}

/** Returns the sorted names, so that the same tools give the same text; null without names. */
export const writeToolNames = (names: readonly string[]): string | null =>
  names.length === 0 ? null : names.toSorted().join('\n')

export const parseToolNames = (lines: string | null): readonly string[] =>
  lines === null ? noNames : lines.split('\n')

const noRequests: readonly ToolRequest[] = []
const noNames: readonly string[] = []
