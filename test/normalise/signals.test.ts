import test from 'ava'
import { read, type SpanGiven } from './_span.ts'

const exception = (type: string | null, message: string): NonNullable<SpanGiven['events']> => [
  {
    name: 'exception',
    attributes: { 'exception.message': message, ...(type === null ? {} : { 'exception.type': type }) },
  },
]
const command = "Command(graph='__parent__', update={'messages': []}, goto='Bob')"
const interrupt = "(Interrupt(value='ok?', id='62f9'),)"

test('LangGraph: a handoff to another agent and an interrupt are no errors', (t) => {
  const openInference = 'openinference.instrumentation.langchain'
  const ofJavaScript = '@arizeai/openinference-instrumentation-langchain'
  const signals: readonly SpanGiven[] = [
    { scope: openInference, events: exception('langgraph.errors.ParentCommand', command) },
    { scope: openInference, events: exception('langgraph.errors.GraphInterrupt', interrupt) },
    {
      scope: ofJavaScript,
      events: exception(null, '\n\nParentCommand\n    at RunnableCallable._controlBranch (state.js:7)'),
    },
    {
      scope: ofJavaScript,
      events: exception(null, '[\n  {}\n]\n\nGraphInterrupt: [\n  {}\n]\n    at interrupt (a.js:1)'),
    },
    {
      scope: 'langsmith',
      events: exception('Exception', `ParentCommand(${command})Traceback (most recent call last):`),
    },
    { scope: 'langsmith', events: exception('Exception', `GraphInterrupt(${interrupt})`) },
    {
      scope: 'opentelemetry.instrumentation.langchain',
      attributes: { 'error.type': 'ParentCommand' },
      events: exception('langgraph.errors.ParentCommand', command),
    },
    { scope: '@traceloop/instrumentation-langchain', events: exception('GraphInterrupt', '[]') },
  ]
  for (const signal of signals) {
    const { status, errorType, errorMessage } = read({ statusCode: 2, ...signal })
    t.deepEqual([status, errorType, errorMessage], ['ok', null, null], JSON.stringify(signal))
  }
})

test('LangGraph: other exceptions are errors, also where they tell of such a one', (t) => {
  const failures = [
    exception('langgraph.errors.GraphRecursionError', 'Recursion limit of 25 reached'),
    exception('ValueError', `ParentCommand(${command})`),
    exception('Exception', 'ValueError("no ParentCommand(x)")'),
    exception(null, 'tool broke\n\nError: ParentCommand is missing\n    at tool (a.js:1)'),
  ]
  for (const events of failures)
    t.is(read({ scope: 'openinference.instrumentation.langchain', statusCode: 2, events }).status, 'error')
})

test('Pydantic AI: a tool that is deferred or waits for approval has not failed', (t) => {
  const statusOf = (type: string) =>
    read({ scope: 'pydantic-ai', statusCode: 2, events: exception(`pydantic_ai.exceptions.${type}`, '') }).status
  t.deepEqual(['CallDeferred', 'ApprovalRequired', 'ToolRetryError'].map(statusOf), ['ok', 'ok', 'error'])
})
