// The name of an agent out of the name of its span.

/** What instrumentations put before the name. */
const prefix = /^(?:(?:invoke_agent|create_agent|agent[ _]run)[ :]+|agent:\s*)/i
const bracketed = /^\[(.+)\]$/
/** The method of the framework that ran the agent, or the kind of the span. */
const suffix = /\.(?:_{0,2}(?:a?run|a?invoke|a?stream|a?call|execute)(?:_[a-z_]+)?_{0,2}|kickoff(?:_[a-z_]+)?|agent)$/i
/** An id makes the name another one on each run. */
const uuid = /[\s_:#-]{0,3}[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/gi
/** A task or a workflow goes by what is to be done, which is often a text of its own on each run. */
const ofWork = /^execute_task\b|\.(?:task|workflow)$/i
/** Names of the work, which all agents share. */
const general = /^(?:invoke_agent|create_agent|execute_task|agent|agent[ _]run|run|invocation|turn|step|unknown)$/i

/** The span's name without the decoration of frameworks and without ids; null where nothing is left that names an agent. */
export function agentOfSpanName(spanName: string): string | null {
  if (ofWork.test(spanName)) return null
  const bare = spanName.replace(prefix, '').replace(suffix, '').replaceAll(uuid, '').trim()
  const name = bracketed.exec(bare)?.[1]?.trim() ?? bare
  return name === '' || general.test(name) ? null : name
}
