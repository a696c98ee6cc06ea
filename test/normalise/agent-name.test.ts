import test from 'ava'
import { agentOfSpanName } from '../../src/normalise/agent-name.ts'
import { read } from './_span.ts'

test('the name of an agent is that of its span, without what a framework adds', (t) => {
  const names: readonly (readonly [spanName: string, agent: string | null])[] = [
    ['researcher', 'researcher'],
    ['Market Researcher', 'Market Researcher'],
    ['invoke_agent researcher', 'researcher'],
    ['create_agent researcher', 'researcher'],
    ['agent_run [researcher]', 'researcher'],
    ['agent run: researcher', 'researcher'],
    ['researcher.run', 'researcher'],
    ['researcher.arun', 'researcher'],
    ['CodeAgent.run', 'CodeAgent'],
    ['Senior Writer._execute_core', 'Senior Writer'],
    ['researcher.invoke', 'researcher'],
    ['researcher.run_stream', 'researcher'],
    ['Researcher.forward', 'Researcher'],
    ['Researcher.aforward', 'Researcher'],
    ['forward', 'forward'],
    ['supervisor.agent', 'supervisor'],
    ['Crew_32a950ab-d79a-463f-9c5b-b1f8b2a2b92b.kickoff', 'Crew'],
    ['v1.2 planner', 'v1.2 planner'],
    ['Agent workflow', 'Agent workflow'],
    ['run analysis', 'run analysis'],
    ['agent:planner', 'planner'],
    ['invoke_agent', null],
    // The work that a crew or a graph does, not its agent: Traceloop names these spans as agent spans.
    ['crewai.workflow', null],
    ['Find the weather in Paris.task', null],
    ['execute_task model', null],
    ['task force', 'task force'],
    ['multitask', 'multitask'],
    ['claude_code.interaction', null],
    ['agent run', null],
    ['agent', null],
    ['AGENT', null],
    ['.run', null],
    ['32a950ab-d79a-463f-9c5b-b1f8b2a2b92b', null],
  ]
  for (const [spanName, agent] of names) t.is(agentOfSpanName(spanName), agent, spanName)
})

test('an agent span without a stated name goes by its own', (t) => {
  const agentOf = (name: string, attributes: { readonly [key: string]: string }) => read({ name, attributes }).agentOwn
  t.is(agentOf('claude-agent', { 'openinference.span.kind': 'AGENT' }), 'claude-agent')
  t.is(agentOf('researcher.run', { 'openinference.span.kind': 'AGENT' }), 'researcher')
  t.is(agentOf('researcher', { 'langfuse.observation.type': 'agent' }), 'researcher')
  t.is(agentOf('researcher', { 'mlflow.spanType': '"AGENT"' }), 'researcher')
  t.is(agentOf('invoke_agent researcher', { 'gen_ai.operation.name': 'invoke_agent' }), 'researcher')
  t.is(agentOf('invoke_agent', { 'gen_ai.operation.name': 'invoke_agent' }), null)
  t.is(agentOf('a.run', { 'openinference.span.kind': 'AGENT', 'agent.name': 'stated' }), 'stated')
  t.is(agentOf('a.run', { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.workflow.name': 'flow' }), 'flow')
})

test('an agent without a name, whose span goes by its model, has none', (t) => {
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.response.model': 'gpt-4o-2024-08-06',
  }
  const agentOf = (name: string) => read({ name, scope: 'gen_ai', spanKind: 1, attributes }).agentOwn
  t.is(agentOf('invoke_agent gpt-4o'), null)
  t.is(agentOf('invoke_agent gpt-4o-2024-08-06'), null)
  t.is(agentOf('invoke_agent researcher'), 'researcher')
})

test('other spans inherit, whatever they are called', (t) => {
  for (const kind of ['CHAIN', 'LLM', 'TOOL']) {
    t.is(read({ name: 'researcher.run', attributes: { 'openinference.span.kind': kind } }).agentOwn, null)
  }
})

test("CrewAI: an agent's role is its node in the graph", (t) => {
  const attributes = { 'openinference.span.kind': 'AGENT', 'graph.node.id': 'researcher' }
  t.is(read({ name: 'Senior Researcher._execute_core', attributes }).agentOwn, 'researcher')
  t.is(read({ attributes: { ...attributes, 'graph.node.name': 'Researcher' } }).agentOwn, 'Researcher')
})

test('Google ADK before 2.0: agents by the name of the span alone, sessions on the calls', (t) => {
  const scope = 'gcp.vertex.agent'
  const agent = read({ name: 'agent_run [researcher]', scope })
  t.deepEqual([agent.kind, agent.agentOwn], ['agent', 'researcher'])
  const call = read({
    name: 'call_llm',
    scope,
    attributes: { 'gen_ai.request.model': 'gemini-2.5-flash', 'gcp.vertex.agent.session_id': 's-1' },
  })
  t.deepEqual([call.kind, call.sessionId], ['llm', 's-1'])
})
