// The dialect of OpenTelemetry's instrumentations of AWS' SDKs, which report the calls of Bedrock under the standard's names.
import { anyOf } from '../../../event/names.ts'
import { firstText } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'
import type { SpanReading } from '../../span-reading.ts'

const modelNames = anyOf('gen_ai.request.model')
/** `amazon.titan-embed-text-v2:0`, `cohere.embed-english-v3` */
const embedder = /\bembed/

/** Whether the requested model of Bedrock is one for embeddings. */
export const asksForEmbedding = ({ attributes }: SpanReading): boolean =>
  embedder.test(firstText(attributes, modelNames) ?? '')

export const awsSdk: Dialect = {
  name: 'aws-sdk',
  marks: {
    scopes: [
      'opentelemetry.instrumentation.genai.bedrock*',
      'opentelemetry.instrumentation.botocore*',
      '@opentelemetry/instrumentation-aws-sdk*',
    ],
  },
  reads: {
    /** They call every operation a chat or a completion. */
    isEmbedding: { on: { own: true }, read: asksForEmbedding },
    /** They report Bedrock's input count, which excludes the cache, under the standard's name, which includes the cache. */
    excludesCache: { on: { own: true }, read: () => true },
  },
}
