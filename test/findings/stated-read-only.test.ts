// Tools whose spans state whether they are read-only: detectors use the statement instead of the name.
import test from 'ava'
import { deadToolResult } from '../../src/findings/detect/dead-tool-result.ts'
import { repeatedToolCall } from '../../src/findings/detect/repeated-tool-call.ts'
import { unattestedRepeat } from '../../src/findings/detect/unattested-repeat.ts'
import { consumedResults, type Draft, dayMs, hourMs, type Looks, minuteMs, nowMs, openLooks, repeat } from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

const call = { kind: 'tool', agent: 'coder' } as const

/** Eleven equal calls. */
const repeats = (tool: string, more: Partial<Draft> = {}): Draft[] =>
  repeat(11, nowMs - hourMs, minuteMs, { ...call, tool, inputHash: 'same', ...more })

/** Equal calls, and thirty calls whose results no model reads. */
const waste = (tool: string, more: Partial<Draft> = {}): Draft[] => [
  ...repeats(tool, more),
  ...consumedResults(tool, 30, 0, { agent: 'coder', ...more }),
]

/** Returns the advice of each finding by tool. */
async function look(workspace: string): Promise<Record<string, string[]>> {
  for (const detector of [repeatedToolCall, unattestedRepeat, deadToolResult]) await looks.look(workspace, { detector })
  const advice = (await looks.list(workspace)).map(({ type, title, detail, tool_name: tool }) => {
    const isAdvised = /attest|cach|serve/i.test(`${title} ${detail}`)
    return { tool, says: `${type}: ${isAdvised ? 'serve' : 'is that meant?'}` }
  })
  const byTool = Object.groupBy(advice, ({ tool }) => tool ?? '')
  return Object.fromEntries(
    Object.entries(byTool).map(([tool, all = []]) => [tool, all.map(({ says }) => says).sort()]),
  )
}

const repeatServed = ['repeated_tool_call: serve', 'unattested_repeat: serve']
const repeatAsked = ['repeated_tool_call: is that meant?']
const served = ['dead_tool_result: serve', ...repeatServed]
const asked = ['dead_tool_result: is that meant?', ...repeatAsked]

test('a statement wins over the name in both directions, and without one the name decides', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    ...waste('exchange_rates'),
    ...waste('exchange_hours', { readOnly: true }),
    ...waste('post_office_hours', { readOnly: true }),
    ...waste('get_rates'),
    ...waste('get_seat', { readOnly: false }),
    ...waste('window_seat', { readOnly: false, attested: true }),
  ])
  t.deepEqual(await look(workspace), {
    exchange_rates: asked,
    exchange_hours: served,
    post_office_hours: served,
    get_rates: served,
    get_seat: asked,
    window_seat: asked,
  })
})

test('the newest statement counts, also of failed calls and of spans that are not counted; silence does not end it', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    { ...call, tool: 'hours', readOnly: false, atMs: nowMs - 2 * dayMs },
    // The span of the MCP server, inside the agent's span of the same call.
    { ...call, tool: 'hours', readOnly: true, counted: false, atMs: nowMs - dayMs },
    ...repeats('hours'),
    { ...call, tool: 'get_seat', readOnly: true, atMs: nowMs - 2 * dayMs },
    { ...call, tool: 'get_seat', readOnly: false, status: 'error', atMs: nowMs - dayMs },
    ...repeats('get_seat'),
  ])
  t.deepEqual(await look(workspace), { hours: repeatServed, get_seat: repeatAsked })
})

test('served calls, other kinds of spans and calls before the window state nothing; at one instant an effect counts', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    { ...call, tool: 'get_rates', readOnly: false, served: true, atMs: nowMs - minuteMs },
    { ...call, tool: 'get_rates', readOnly: false, kind: 'other', atMs: nowMs - minuteMs },
    { ...call, tool: 'get_rates', readOnly: false, atMs: nowMs - 8 * dayMs },
    ...repeats('get_rates'),
    ...[true, false, true].map((readOnly) => ({ ...call, tool: 'find_seat', readOnly, atMs: nowMs - dayMs })),
    ...repeats('find_seat'),
  ])
  t.deepEqual(await look(workspace), { get_rates: repeatServed, find_seat: repeatAsked })
})

test('if two agents state different things about a tool, each is judged by its own statement, and attesting is not advised', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    ...repeats('hours', { readOnly: false }),
    ...repeat(11, nowMs - minuteMs, minuteMs, {
      kind: 'tool',
      agent: 'writer',
      tool: 'hours',
      inputHash: 'same',
      readOnly: true,
    }),
  ])
  t.deepEqual(await look(workspace), { hours: ['repeated_tool_call: is that meant?', 'repeated_tool_call: serve'] })
})
