// The calls of a customer's agent over real HTTP: sends an execution, and requests a stored result.

import { toolResultResponse } from '../../../src/serving/tool-result/routes.ts'
import type { TestService } from '../../_kit/serve.ts'
import { type AttributeInput, encodeRequest, makeSpan, type SpanInput } from '../../_kit/spans.ts'
import { untilWithin } from '../../_kit/standstill.ts'
import { post } from '../../ingest/_http.ts'
import { type RawAnswer, rawGet } from './_raw-get.ts'
import { type Customer, seal, unseal } from './_sealed.ts'

export type Execution = Omit<SpanInput, 'attributes'> & {
  readonly attributes?: Readonly<Record<string, AttributeInput>>
}

type Query = Record<string, string>

export function makeCalls(service: TestService, customer: Customer) {
  const get = async (query: Query, token: string | null = service.key): Promise<RawAnswer> =>
    await rawGet(`${service.baseUrl}/v1/apply/tool-result?${new URLSearchParams(query).toString()}`, token)

  /** Returns how many requests were refused because the database did not answer in time. Only a metric tells these from other refusals. */
  async function countLate(): Promise<number> {
    const metrics = await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text()
    const late = metrics.matchAll(/^tracewright_tool_results_total\{outcome="unknown",from="\w+"\} (\d+)$/gm)
    return late.reduce((sum, [, count]) => sum + Number(count), 0)
  }

  return {
    get,

    /** Resolves when the condition holds for the answer. Throws where that takes longer than promised and many requests. */
    async untilAnswer(promisedMs: number, query: Query, holds: (answer: RawAnswer) => boolean): Promise<void> {
      let late = await countLate()
      await untilWithin(promisedMs, async () => {
        const answer = await get(query)
        if (holds(answer)) return true
        if (answer.status !== 404) return false
        const before = late
        late = await countLate()
        return late > before ? 'unread' : false
      })
    },

    /** Sends an attested execution of the tool `search`, by default; resolves when it is stored. */
    async execute(result: string, more: Execution = {}, input = 'sha256:one'): Promise<void> {
      const attributes = { ...seal(customer, 'search', input, result), ...more.attributes }
      const body = encodeRequest([makeSpan({ ...more, attributes })])
      const { status, rejected } = await post(service, body)
      if (status !== 200 || rejected !== 0) throw new Error(`status ${status}, ${rejected} spans rejected`)
    },

    readResult: ({ text }: RawAnswer): string => unseal(customer, toolResultResponse.parse(JSON.parse(text))),
  }
}
