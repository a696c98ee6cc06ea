// A tool call: how it was answered, its arguments and its result.
import { formatDuration } from '../../format/index.ts'
import { CopyButton } from '../../ui/index.ts'
import { formatBytes } from '../content/base64.ts'
import { JsonTree } from '../content/JsonTree.tsx'
import { callMarkMeaning, callMarkOf } from '../describe-node.ts'
import type { SpanDetail } from '../use-detail.ts'
import styles from './panel.module.css'
import type { PanelContext } from './panel-context.ts'

type Props = PanelContext & { readonly detail: SpanDetail }

export function ToolTab({ detail, tree }: Props) {
  const mark = callMarkOf(detail)
  if (mark === null && detail.tool_name === null) return <p className={styles.note}>This span is no tool call.</p>
  const contentHash = detail.attributes['tracewright.tool.content_hash']
  return (
    <>
      {mark === null ? null : <p className={styles.note}>{callMarkMeaning[mark]}</p>}
      <dl className={styles.facts}>
        <Line name="Tool" text={detail.tool_name} />
        <Line name="Version" text={detail.tool_version} />
        <Line name="Tool call id" text={detail.tool_call_id} />
        <Line name="Rule" text={detail.decision_id} />
        <Line name="Input hash" text={detail.input_hash} />
        <Line name="Content hash" text={typeof contentHash === 'string' ? contentHash : null} />
      </dl>
      <Repeats detail={detail} tree={tree} />
      <h3 className={styles.label}>Arguments</h3>
      <Value isThere={detail.tool_arguments !== undefined} value={detail.tool_arguments} />
      <h3 className={styles.label}>Result</h3>
      {detail.encrypted === undefined ? (
        <Value isThere={detail.tool_result !== undefined} value={detail.tool_result} />
      ) : (
        <p>
          AES-256-GCM, key {detail.encrypted.key_id ?? 'without a name'}, {formatBytes(detail.encrypted.bytes)}; this
          service cannot read it.
        </p>
      )}
    </>
  )
}

/** Shows how often the trace calls the tool with the same input, which a cache could have answered. */
function Repeats({ detail, tree }: Pick<Props, 'detail' | 'tree'>) {
  const { input_hash: hash, tool_name: tool } = detail
  if (hash === null) return null
  const same = tree.spans.filter(({ input_hash, tool_name }) => input_hash === hash && tool_name === tool)
  if (same.length < 2) return null
  const ms = same.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0)
  return (
    <p className={styles.note}>
      Same input {same.length} times in this trace, {formatDuration(ms)} in all.
    </p>
  )
}

function Line({ name, text }: { readonly name: string; readonly text: string | null }) {
  if (text === null) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{text}</code> <CopyButton label={`Copy: ${name}`} text={text} />
      </dd>
    </div>
  )
}

function Value({ isThere, value }: { readonly isThere: boolean; readonly value: unknown }) {
  return isThere ? <JsonTree value={value} /> : <p className={styles.note}>Not stored.</p>
}
