// The advice for each type of finding: a sentence, and the code or the page that applies it.

import type { Schemas } from '../../api/client.ts'
import { attestCode } from '../../decisions/attest-code.ts'

type Finding = Pick<Schemas['Finding'], 'type' | 'tool_name' | 'model' | 'evidence'>

export type Advice = {
  readonly text: string
  readonly code?: string
  /** The page on which the fix is made or checked. */
  readonly page?: 'telemetry' | 'usage' | 'prices'
}

type Kind = { readonly name: string; readonly advise: (finding: Finding) => Advice }

const toolOf = ({ tool_name: tool }: Finding): string => tool ?? 'search_docs'

const attest = (tool: string): string => attestCode(quote(tool))

const attestUnread = (tool: string): string => `const call = tracewright.tool('${quote(tool)}', run, {
  attest: { unread: { serve: () => 'done' } }, // a result that no model reads is not needed
  consumedBy: 'model',
})`

const stopRetries = (tool: string): string => `const failures = new Map()
async function call(input) {
  const key = JSON.stringify(input)
  if ((failures.get(key) ?? 0) >= 2) return 'This call failed twice. Answer without it.'
  try {
    return await run(input) // ${oneLine(tool)}
  } catch (error) {
    failures.set(key, (failures.get(key) ?? 0) + 1)
    return \`Failed: \${error.message}. Change the input before you call again.\`
  }
}`

const timeout = (tool: string): string => `// ${oneLine(tool)}
await fetch(url, { signal: AbortSignal.timeout(10_000) })`

const markCache = `await anthropic.messages.create({
  model, max_tokens: 1024,
  system: [{ type: 'text', text: instructions, cache_control: { type: 'ephemeral' } }],
  messages, // earlier turns first, and unchanged
})`

const orderPrompt = `const messages = [
  { role: 'system', content: instructions }, // what never changes comes first
  ...turns, // unchanged, new ones at the end
]`

const trimContext = `const messages = [
  { role: 'system', content: instructions },
  { role: 'user', content: await summarize(turns.slice(0, -10)) },
  ...turns.slice(-10),
]`

const rotate = `encryptionKeys: {
  current: { keyId: '${new Date().getUTCFullYear()}-new', key: process.env.NEW_RESULT_KEY }, // openssl rand -base64 32
}`

/** By the type in the API. A test compares this list with the types that the service detects. */
export const findingKinds = {
  repeated_tool_call: { name: 'Repeated tool call', advise: adviseOnRepeats },
  dead_tool_result: { name: 'Unused tool result', advise: adviseOnUnread },
  retry_loop: {
    name: 'Retry loop',
    advise: (finding) => ({
      text: 'Give the error to the model as the result of the call, and stop after the second failure of the same call.',
      code: stopRetries(toolOf(finding)),
    }),
  },
  error_hotspot: {
    name: 'Error hotspot',
    advise: () => ({
      text: 'Open the newest of the failing traces below: the red span shows the error message.',
    }),
  },
  slow_tool: {
    name: 'Slow tool',
    advise: (finding) => ({
      text: 'Compare a slow trace below with an older one, and set a timeout so that agents do not wait.',
      code: timeout(toolOf(finding)),
    }),
  },
  missed_prompt_cache: {
    name: 'Missed prompt cache',
    advise: ({ model }) =>
      model?.startsWith('claude') === true
        ? { text: 'Mark the part of the prompt that stays the same for caching.', code: markCache }
        : {
            text: 'Keep what stays the same at the beginning of the prompt: it is cached from there.',
            code: orderPrompt,
          },
  },
  context_growth: {
    name: 'Growing context',
    advise: () => ({ text: 'Send a summary instead of old turns and old tool results.', code: trimContext }),
  },
  cost_spike: {
    name: 'Cost spike',
    advise: () => ({
      text: 'The traces below have the highest cost of the day. Look for more calls, a more expensive model, longer prompts or loops.',
    }),
  },
  unpriced_model: {
    name: 'Model without a price',
    advise: () => ({
      text: 'Send the model by the name that its provider uses, or set a price of your own for it.',
      page: 'prices',
    }),
  },
  unattested_repeat: {
    name: 'Unattested repeats',
    advise: (finding) => ({
      text: 'If the result depends only on the input, attest the tool. A rule is proposed and proven on your traffic before it serves anything.',
      code: attest(toolOf(finding)),
    }),
  },
  quota_or_cap_drops: {
    name: 'Dropped spans',
    advise: () => ({ text: 'Usage shows which limit was reached, and when.', page: 'usage' }),
  },
  gcm_iv_reuse: {
    name: 'Reused encryption IV',
    advise: () => ({
      text: 'Stop using the key now: start all processes with a new one, and let the SDK make the IVs. Do not keep the old key in `previous`.',
      code: rotate,
    }),
  },
  telemetry_unclear: {
    name: 'Unclear telemetry',
    advise: () => ({
      text: 'Telemetry health says for each instrumentation what to change in its set-up.',
      page: 'telemetry',
    }),
  },
} as const satisfies Readonly<Record<string, Kind>>

function adviseOnRepeats(finding: Finding): Advice {
  if (finding.evidence['remedy'] === 'refuted')
    return {
      text: 'Call the tool only where a new result is needed. The rule for it was disabled, because its results were wrong too often.',
    }
  if (finding.evidence['remedy'] === 'rule')
    return { text: 'The tool is attested: once a rule is proven, it serves the repeated calls.' }
  if (finding.evidence['remedy'] === 'review')
    return {
      text: 'The tool seems to change something. If every call is intended, acknowledge this finding; if not, fix the loop that calls it.',
    }
  return {
    text: 'Keep the result for the duration of the task, or attest the tool: a rule then serves the repeated calls once it is proven.',
    code: attest(toolOf(finding)),
  }
}

function adviseOnUnread(finding: Finding): Advice {
  if (finding.evidence['remedy'] === 'refuted')
    return {
      text: 'Call the tool only where its result is needed. The rule for it was disabled, because sessions used its result.',
    }
  if (finding.evidence['remedy'] === 'rule')
    return {
      text: 'Call the tool only where its result is needed. Its result is attested as unread: once a rule is proven, it answers instead.',
    }
  if (finding.evidence['remedy'] === 'review')
    return {
      text: 'If the tool is called for its effect, acknowledge this finding. If not, call it only where its result is needed.',
    }
  return {
    text: 'Call the tool only where its result is needed, or attest that it is not needed: a proven rule then answers instead.',
    code: attestUnread(toolOf(finding)),
  }
}

const isKnown = (type: string): type is keyof typeof findingKinds => Object.hasOwn(findingKinds, type)

/** Returns the name of a type. A newer service may have a type that this page does not know. */
export function nameFindingType(type: string): string {
  if (isKnown(type)) return findingKinds[type].name
  const words = type.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the advice for a finding. Null: its type is unknown to this page. */
export function adviseOn(finding: Finding): Advice | null {
  const kind: Kind | null = isKnown(finding.type) ? findingKinds[finding.type] : null
  return kind?.advise(finding) ?? null
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Escapes a name for a string literal of the code, since senders choose names freely. */
const quote = (text: string): string => oneLine(text).replaceAll(/['\\]/g, '\\$&')
