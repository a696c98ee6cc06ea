// The calls of a customer's agent over real HTTP: sends an execution, and requests a stored result.

import { toolResultResponse } from '../../../src/serving/tool-result/routes.ts'
import type { TestService } from '../../_kit/serve.ts'
import { type AttributeInput, encodeRequest, makeSpan, type SpanInput } from '../../_kit/spans.ts'
import { post } from '../../ingest/_http.ts'
import { type RawAnswer, rawGet } from './_raw-get.ts'
import { type Customer, seal, unseal } from './_sealed.ts'

export type Execution = Omit<SpanInput, 'attributes'> & {
  readonly attributes?: Readonly<Record<string, AttributeInput>>
}

export const makeCalls = (service: TestService, customer: Customer) => ({
  get: async (query: Record<string, string>, token: string | null = service.key): Promise<RawAnswer> =>
    await rawGet(`${service.baseUrl}/v1/apply/tool-result?${new URLSearchParams(query).toString()}`, token),

  /** Sends an attested execution of the tool `search`, by default; resolves when it is stored. */
  async execute(result: string, more: Execution = {}, input = 'sha256:one'): Promise<void> {
    const attributes = { ...seal(customer, 'search', input, result), ...more.attributes }
    const body = encodeRequest([makeSpan({ ...more, attributes })])
    const { status, rejected } = await post(service, body)
    if (status !== 200 || rejected !== 0) throw new Error(`status ${status}, ${rejected} spans rejected`)
  },

  readResult: ({ text }: RawAnswer): string => unseal(customer, toolResultResponse.parse(JSON.parse(text))),
})
