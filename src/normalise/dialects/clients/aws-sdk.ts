// The dialect of OpenTelemetry's instrumentations of AWS' SDKs, which report the calls of Bedrock under the standard's names.
import type { Dialect } from '../../merge/definition.ts'

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
    /** They report Bedrock's input count, which excludes the cache, under the standard's name, which includes the cache. */
    excludesCache: { on: { own: true }, read: () => true },
  },
}
