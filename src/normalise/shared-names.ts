// Floor 1. Names that more than one reader asks for: told once, they are looked for and parsed once.
import { anyOf } from '../otlp/names.ts'

export const openInferenceKindNames = anyOf('openinference.span.kind')
/** What a span gave back; of a model call often the provider's whole answer. */
export const openInferenceOutputNames = anyOf('output.value')
export const traceloopKindNames = anyOf('traceloop.span.kind')
export const traceloopEntityNames = anyOf('traceloop.entity.name')
export const mlflowTypeNames = anyOf('mlflow.spanType')
/** What a span gave back; of a model call the provider's whole answer. */
export const mlflowOutputNames = anyOf('mlflow.spanOutputs')
export const vercelMetadataNames = anyOf('ai.response.providerMetadata')
