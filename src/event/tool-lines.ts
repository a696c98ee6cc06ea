// Requests and names of tools as lines of text: what a row of an event stores of them.
import type { ToolRequest } from './event.ts'

const separators = /[\t\n]/g

/** A name or an id that fits into a line. */
export const asLine = (text: string): string => text.replaceAll(separators, ' ')

/** `id<TAB>name` a line, the id empty where there is none; null for no request. */
export const writeToolRequests = (requests: readonly ToolRequest[]): string | null =>
  requests.length === 0 ? null : requests.map(({ id, name }) => `${id ?? ''}\t${name}`).join('\n')

export const parseToolRequests = (lines: string | null): readonly ToolRequest[] =>
  lines === null ? noRequests : lines.split('\n').map(parseRequest)

function parseRequest(line: string): ToolRequest {
  const tab = line.indexOf('\t')
  return { id: tab <= 0 ? null : line.slice(0, tab), name: line.slice(tab + 1) }
}

/** The names in order, so that the same tools are the same text; null for none. */
export const writeToolNames = (names: readonly string[]): string | null =>
  names.length === 0 ? null : names.toSorted().join('\n')

export const parseToolNames = (lines: string | null): readonly string[] =>
  lines === null ? noNames : lines.split('\n')

const noRequests: readonly ToolRequest[] = []
const noNames: readonly string[] = []
