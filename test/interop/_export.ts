// The OpenTelemetry SDK with its own OTLP exporter, sending to the service under test.
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

export type ExportOptions = {
  readonly baseUrl: string
  readonly serviceName: string
  readonly format?: 'protobuf' | 'json'
  readonly gzip?: boolean
  /** Registers it as the provider of the whole process, for instrumentations that use the global one. */
  readonly global?: boolean
}

export type Exporting = {
  readonly provider: NodeTracerProvider
  /** Exports from now on use the key of this tenant. */
  sendAs(tenant: { readonly key: string }): void
  /** Resolves once all ended spans were sent. */
  flush(): Promise<void>
  stop(): Promise<void>
}

// More than a slow machine takes: an export that ends by its time limit loses its spans.
const patienceMs = 120_000

export function startExporting(options: ExportOptions): Exporting {
  let key = ''
  const settings = {
    url: `${options.baseUrl}/v1/otlp/v1/traces`,
    headers: async () => ({ Authorization: `Bearer ${key}` }),
    timeoutMillis: patienceMs,
  }
  // Read when an exporter is constructed.
  process.env['OTEL_EXPORTER_OTLP_COMPRESSION'] = options.gzip === true ? 'gzip' : 'none'
  const exporter = options.format === 'json' ? new JsonExporter(settings) : new ProtobufExporter(settings)
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName, 'deployment.environment.name': 'test' }),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: patienceMs })],
  })
  if (options.global === true) provider.register()
  return {
    provider,
    sendAs: (tenant) => {
      key = tenant.key
    },
    flush: () => provider.forceFlush(),
    stop: () => provider.shutdown(),
  }
}
