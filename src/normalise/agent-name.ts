// Derives the name of an agent from the name of its span.

/** The prefixes that instrumentations add to the name. */
const prefix = /^(?:(?:invoke_agent|create_agent|agent[ _]run)[ :]+|agent:\s*)/i
const bracketed = /^\[(.+)\]$/
/** The suffixes: the method of the framework that ran the agent, or the kind of the span. */
const suffix =
  /\.(?:_{0,2}(?:a?run|a?invoke|a?stream|a?call|a?forward|execute)(?:_[a-z_]+)?_{0,2}|kickoff(?:_[a-z_]+)?|agent)$/i
/** An id would make the name different on each run. */
const uuid = /[\s_:#-]{0,3}[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/gi
/** The name of a task or a workflow describes what is to be done, often with a different text on each run. */
const ofWork = /^execute_task\b|\.(?:task|workflow)$/i
/** General names of work, which do not name a single agent. */
const general =
  /^(?:invoke_agent|create_agent|execute_task|agent|agent[ _]run|run|invocation|turn|step|unknown|haystack\.agent|claude_code\.interaction)$/i

/** Returns the span's name without the additions of frameworks and without ids; null where the rest names no agent. */
export function agentOfSpanName(spanName: string): string | null {
  if (ofWork.test(spanName)) return null
  const bare = spanName.replace(prefix, '').replace(suffix, '').replaceAll(uuid, '').trim()
  const name = bracketed.exec(bare)?.[1]?.trim() ?? bare
  return name === '' || general.test(name) ? null : name
}
