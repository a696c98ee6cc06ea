// Floor 1. Tools that a model asked for in one trace and whose calls another trace reports: a client that is traced by itself, and a tool that
// is, each begin a trace where nothing is around both.
import { isSameTool } from './same-tool.ts'

/** A model call, and the names of the tools that it asks for and that no span of its trace reports. */
export type AskingCall = {
  readonly startTimeUs: number
  readonly scopeName: string | null
  readonly names: readonly string[]
  /** The ids of all tools that it asks for, by name; null of one without an id. */
  readonly idsOf: (name: string) => readonly (string | null)[]
}

/** The call of a tool in a trace without calls of models. */
export type ToolElsewhere = {
  readonly startTimeUs: number
  readonly scopeName: string | null
  readonly toolName: string
  readonly toolCallId: string | null
}

/**
 * Of each call the names that no span elsewhere reports either. `elsewhere`: of each call, the spans that may report what it asks for, the
 * oldest first; the same span is the same object for all. Each reports one call, and no call that began after it. Where both have ids, these
 * decide. Cost: the requests times the spans of each call, which the caller bounds.
 */
export function withoutElsewhere(
  calls: readonly AskingCall[],
  elsewhere: readonly (readonly ToolElsewhere[])[],
): readonly (readonly string[])[] {
  const claimed = new Set<ToolElsewhere>()
  const left = calls.map(({ names }) => names)
  const places = [...calls.keys()].sort((a, b) => startOf(calls, a) - startOf(calls, b))
  for (const isById of [true, false])
    for (const place of places) {
      const call = calls[place] as AskingCall
      left[place] = (left[place] ?? []).filter((name) => {
        const report = elsewhere[place]?.find((tool) => !claimed.has(tool) && isReport(call, name, tool, isById))
        if (report !== undefined) claimed.add(report)
        return report === undefined
      })
    }
  return left
}

const startOf = (calls: readonly AskingCall[], place: number): number => (calls[place] as AskingCall).startTimeUs

function isReport(call: AskingCall, name: string, tool: ToolElsewhere, isById: boolean): boolean {
  if (tool.startTimeUs < call.startTimeUs || !isAskedTool(call, name, tool)) return false
  const ids = call.idsOf(name)
  return isById
    ? tool.toolCallId !== null && ids.includes(tool.toolCallId)
    : tool.toolCallId === null || ids.includes(null)
}

/** Whether the span is of a tool of this name, which a call of this scope asks for. */
export const isAskedTool = (
  { scopeName }: Pick<AskingCall, 'scopeName'>,
  name: string,
  tool: Pick<ToolElsewhere, 'scopeName' | 'toolName'>,
): boolean => isSameTool({ scopeName, toolName: name }, tool)
