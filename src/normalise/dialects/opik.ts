// The dialect of Opik, by Comet.
import type { Dialect } from '../merge/definition.ts'

export const opik: Dialect = {
  name: 'opik',
  marks: { attributes: ['opik.trace_id', 'opik.span_id', 'opik.parent_span_id'] },
  late: { session: ['thread_id'] },
}
