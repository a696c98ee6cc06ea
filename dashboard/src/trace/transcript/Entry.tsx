// One entry of a transcript: the start of an agent, a model call with its new messages, or a tool call with its result.
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { countOf, formatDuration } from '../../format/index.ts'
import { Duration, ErrorNote, Money, Skeleton } from '../../ui/index.ts'
import { JsonTree } from '../content/JsonTree.tsx'
import { MessageList } from '../content/MessageList.tsx'
import { countKnown } from '../content/message.ts'
import { callMarkOf } from '../describe-node.ts'
import { isParent } from '../fold.ts'
import { CallMarkIcon, KindIcon } from '../Icons.tsx'
import { detailOptions, type SpanDetail, useDetail } from '../use-detail.ts'
import type { SpanEvent, SpanTree } from '../use-spans.ts'
import styles from './transcript.module.css'

type Props = {
  readonly tree: SpanTree
  readonly node: number
  readonly level: number
  readonly workspaceId: string
  readonly previousCall: number
  readonly isFolded: boolean
  readonly isSelected: boolean
  readonly onSelect: (node: number) => void
  readonly onToggle: (node: number, isDeep: boolean) => void
}

export function Entry(props: Props) {
  const { tree, node, isSelected, isFolded, onSelect, onToggle } = props
  const span = tree.spans[node] as SpanEvent
  const mark = callMarkOf(span)
  const isFoldable = span.kind === 'agent' && isParent(tree, node)
  return (
    <article aria-current={isSelected} className={styles.entry} data-kind={span.kind}>
      <header className={styles.head}>
        {isFoldable ? (
          <button
            aria-expanded={!isFolded}
            aria-label={`${isFolded ? 'Unfold' : 'Fold'} ${span.name}`}
            className={styles.chevron}
            onClick={() => onToggle(node, false)}
            type="button"
          >
            {isFolded ? <ChevronRight aria-hidden size={14} /> : <ChevronDown aria-hidden size={14} />}
          </button>
        ) : null}
        <KindIcon kind={span.kind} />
        <button className={styles.name} onClick={() => onSelect(node)} type="button">
          {span.tool_name ?? span.name}
        </button>
        {mark === null ? null : <CallMarkIcon mark={mark} />}
        <span className={styles.facts}>
          {span.model === null ? null : span.model} <Duration ms={span.duration_ms} />{' '}
          {span.cost_usd === null ? null : <Money usd={span.cost_usd} />}
        </span>
      </header>
      {span.status === 'error' ? (
        <p className={styles.error}>
          {[span.error_type, span.error_message].filter(Boolean).join(': ') ||
            `Failed after ${formatDuration(span.duration_ms)}`}
        </p>
      ) : null}
      {span.kind === 'agent' ? null : <Body {...props} eventId={span.id} />}
    </article>
  )
}

function Body(props: Props & { readonly eventId: string }) {
  const { data, error, refetch } = useDetail(props.workspaceId, props.eventId)
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={64} />
  return data.kind === 'llm' ? <CallBody {...props} detail={data} /> : <ToolBody detail={data} />
}

/** Leaves out the messages that were in the previous call, which are shown further up. */
function CallBody({ tree, previousCall, workspaceId, detail }: Props & { readonly detail: SpanDetail }) {
  const { input_messages: input = [], output_messages: output = [] } = detail
  const previousId = tree.spans[previousCall]?.id
  const { data: previous, isLoading } = useQuery({
    ...detailOptions(workspaceId, previousId ?? ''),
    enabled: previousId !== undefined && input.length > 0,
  })
  if (isLoading) return <Skeleton height={64} />
  const known =
    previous === undefined ? 0 : countKnown(input, previous.input_messages ?? [], previous.output_messages ?? [])
  if (input.length + output.length === 0) return <p className={styles.note}>No messages are stored.</p>
  return (
    <>
      {known > 0 ? <p className={styles.note}>{countOf(known, 'message')} as before</p> : null}
      <MessageList known={null} label="Input" messages={input.slice(known)} onToolCall={null} />
      <MessageList known={null} label="Output" messages={output} onToolCall={null} />
    </>
  )
}

function ToolBody({ detail }: { readonly detail: SpanDetail }) {
  const { tool_arguments: given, tool_result: result, encrypted } = detail
  if (given === undefined && result === undefined && encrypted === undefined) return null
  return (
    <>
      {given === undefined ? null : <Labelled label="Arguments" value={given} />}
      {result === undefined ? null : <Labelled label="Result" value={result} />}
      {encrypted === undefined ? null : (
        <p className={styles.note}>The result is encrypted; this service cannot read it.</p>
      )}
    </>
  )
}

function Labelled({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <div className={styles.value}>
      <h3>{label}</h3>
      <JsonTree level={1} value={value} />
    </div>
  )
}
