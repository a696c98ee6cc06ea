// The input and output messages of a model call.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MessageList } from '../content/MessageList.tsx'
import { countKnown } from '../content/message.ts'
import { RawTextContext } from '../content/raw-text.ts'
import { detailOptions, type SpanDetail } from '../use-detail.ts'
import { findToolCall } from './find-tool-call.ts'
import styles from './panel.module.css'
import type { PanelContext } from './panel-context.ts'

type Props = PanelContext & { readonly detail: SpanDetail }

export function MessagesTab({ detail, tree, node, previousCall, workspaceId, onSelect }: Props) {
  const { input_messages: input = [], output_messages: output = [] } = detail
  const [isRaw, setRaw] = useState(false)
  const previousId = tree.spans[previousCall]?.id
  const { data: previous } = useQuery({
    ...detailOptions(workspaceId, previousId ?? ''),
    enabled: previousId !== undefined && input.length > 0,
  })
  if (input.length === 0 && output.length === 0) return <p className={styles.note}>{explainNoMessages(detail)}</p>
  const known =
    previous === undefined ? null : countKnown(input, previous.input_messages ?? [], previous.output_messages ?? [])
  const follow = (toolCallId: string): void => {
    const found = findToolCall(tree.spans, node, toolCallId)
    if (found !== -1) onSelect(found)
  }
  return (
    <RawTextContext value={isRaw}>
      <label className={styles.raw}>
        <input checked={isRaw} onChange={({ target }) => setRaw(target.checked)} type="checkbox" />
        Text as it was sent
      </label>
      <MessageList known={known} label="Input" messages={input} onToolCall={follow} />
      <MessageList known={null} label="Output" messages={output} onToolCall={follow} />
    </RawTextContext>
  )
}

function explainNoMessages({ kind, flags }: SpanDetail): string {
  if (flags.includes('content_dropped')) return 'Redaction of the content failed, so it was not stored.'
  if (kind !== 'llm') return 'A span of this kind has no messages.'
  return 'No messages are stored: the instrumentation does not send them, or the content mode of the workspace leaves them out.'
}
