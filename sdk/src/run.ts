// SDK. The run of an agent: the agent name, session and task type of the spans inside it, and notes on its tool calls.
import { type Context, context, createContextKey, type Span, trace } from '@opentelemetry/api'
import type { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { makeToolNotes, type ToolNotes } from './tool-notes.ts'

export type RunOptions = {
  /** Joins the runs of one conversation. */
  readonly sessionId?: string
  /** Names the kind of task. */
  readonly taskType?: string
}

export type Run = {
  readonly agentName: string
  readonly sessionId: string | null
  readonly taskType: string | null
  readonly notes: ToolNotes
}

export type Runs = {
  /** Returns the innermost run around this call; null outside of a run. */
  readonly current: () => Run | null
  /** Returns the context that a new span belongs to. */
  readonly context: () => Context
  /** Calls `fn` inside the span, and inside the run where one is given. */
  readonly inside: <Result>(span: Span, run: Run | null, fn: () => Result) => Result
}

/**
 * The client has its own context manager, since OpenTelemetry keeps no context without a registered one. If the application has
 * registered one, every span is set in both, so that other instrumentations find their parent spans. `onFault` receives what the one of the
 * application throws.
 */
export function makeRuns(manager: AsyncLocalStorageContextManager, onFault: (error: unknown) => void): Runs {
  const runKey = createContextKey('tracewright.run')

  function active(): Context {
    try {
      const shared = context.active()
      if (trace.getSpan(shared) !== undefined) return shared
    } catch (error) {
      onFault(error)
    }
    return manager.active()
  }

  return {
    current: () => (active().getValue(runKey) as Run | undefined) ?? null,
    context: active,
    inside(span, run, fn) {
      const inSpan = trace.setSpan(active(), span)
      const inRun = run === null ? inSpan : inSpan.setValue(runKey, run)
      let hasBegun = false
      const begin = (): ReturnType<typeof fn> => {
        hasBegun = true
        return fn()
      }
      return manager.with(inRun, () => {
        try {
          return context.with(inRun, begin)
        } catch (error) {
          if (hasBegun) throw error
          onFault(error)
          return fn()
        }
      })
    },
  }
}

/** Absent options are taken from the run around it. */
export function makeRun(agentName: string, options: RunOptions, outer: Run | null): Run {
  return {
    agentName,
    sessionId: options.sessionId ?? outer?.sessionId ?? null,
    taskType: options.taskType ?? outer?.taskType ?? null,
    notes: makeToolNotes(),
  }
}

/** Returns the attributes of every span inside the run. */
export const runAttributes = (run: Run | null): Record<string, string> =>
  run === null
    ? {}
    : {
        'gen_ai.agent.name': run.agentName,
        ...(run.sessionId === null ? {} : { 'gen_ai.conversation.id': run.sessionId }),
        ...(run.taskType === null ? {} : { 'tracewright.task_type': run.taskType }),
      }
