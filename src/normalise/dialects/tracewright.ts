// Our own namespace, tracewright.*, which our SDK writes in addition to the names of OpenTelemetry.
import { anyOf } from '../../event/names.ts'
import type { Dialect } from '../merge/definition.ts'

export const tracewright: Dialect = {
  name: 'tracewright',
  marks: {
    attributes: [
      'tracewright.tool.input_hash',
      'tracewright.tool.content_hash',
      'tracewright.tool.attested',
      'tracewright.tool.served',
      'tracewright.decision_id',
      'tracewright.consumed_tool_call_ids',
      'tracewright.read_tool_call_ids',
      'tracewright.task_type',
    ],
  },
  names: {
    taskType: ['tracewright.task_type'],
    readOnly: ['tracewright.tool.read_only'],
    toolMarks: ['tracewright.tool.input_hash', 'tracewright.tool.ciphertext', 'tracewright.tool.served'],
  },
}

/** The names of what only our SDK reports. Their values are validated before use (`own.ts`). */
export const tracewrightNames = {
  inputHash: anyOf('tracewright.tool.input_hash'),
  contentHash: anyOf('tracewright.tool.content_hash'),
  decision: anyOf('tracewright.decision_id'),
  attested: anyOf('tracewright.tool.attested'),
  claims: anyOf('tracewright.tool.claims'),
  version: anyOf('tracewright.tool.version'),
  scopeHash: anyOf('tracewright.tool.scope_hash'),
  served: anyOf('tracewright.tool.served'),
  changed: anyOf('tracewright.tool.changed'),
  holdout: anyOf('tracewright.holdout'),
  encrypted: ['ciphertext', 'iv', 'tag', 'key_id'].map((part) => anyOf(`tracewright.tool.${part}`)),
  consumed: anyOf('tracewright.consumed_tool_call_ids'),
  read: anyOf('tracewright.read_tool_call_ids'),
}
