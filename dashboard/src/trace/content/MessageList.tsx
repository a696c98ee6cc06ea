// The messages of a call. System messages and the middle of a long list are folded, and new messages are marked.
import { useState } from 'react'
import { JsonTree } from './JsonTree.tsx'
import { MediaPart } from './MediaPart.tsx'
import styles from './message.module.css'
import { foldMiddle, type Message, type MessagePart, readPart } from './message.ts'
import { MessageText } from './Text.tsx'

type ListProps = {
  readonly messages: readonly Message[]
  /** How many of the first messages were also in the agent's previous call; null: not known. */
  readonly known: number | null
  readonly label: string
  /** Follows a link between a tool call and its result. */
  readonly onToolCall: ((toolCallId: string) => void) | null
}

export function MessageList({ messages, known, label, onToolCall }: ListProps) {
  const [isWhole, setIsWhole] = useState(false)
  const { head, tail } = isWhole ? { head: messages.length, tail: 0 } : foldMiddle(messages.length)
  const hidden = messages.length - head - tail
  const show = (message: Message, at: number) => (
    <MessageItem
      isNew={known !== null && known > 0 && at >= known}
      key={at}
      message={message}
      onToolCall={onToolCall}
    />
  )
  if (messages.length === 0) return null
  return (
    <section aria-label={label}>
      <h3 className={styles.label}>{label}</h3>
      <ol className={styles.list}>
        {messages.slice(0, head).map(show)}
        {hidden > 0 ? (
          <li>
            <button className={styles.middle} onClick={() => setIsWhole(true)} type="button">
              Show {hidden} messages between
            </button>
          </li>
        ) : null}
        {messages.slice(head + hidden).map((message, at) => show(message, head + hidden + at))}
      </ol>
    </section>
  )
}

type ItemProps = {
  readonly message: Message
  readonly isNew: boolean
  readonly onToolCall: ListProps['onToolCall']
}

function MessageItem({ message: { role, parts }, isNew, onToolCall }: ItemProps) {
  const isSystem = role === 'system' || role === 'developer'
  return (
    <li className={styles.message} data-role={role}>
      <details open={!isSystem}>
        <summary>
          <span className={styles.role}>{role}</span>
          {isNew ? <span className={styles.new}>new</span> : null}
        </summary>
        {parts.map((part, at) => (
          <PartView key={`${at}`} onToolCall={onToolCall} part={part} />
        ))}
      </details>
    </li>
  )
}

function PartView({
  part: given,
  onToolCall,
}: {
  readonly part: MessagePart
  readonly onToolCall: ListProps['onToolCall']
}) {
  const part = readPart(given)
  switch (part.form) {
    case 'text':
      return <MessageText text={part.text} />
    case 'reasoning':
      return (
        <details className={styles.reasoning}>
          <summary>Reasoning</summary>
          <MessageText text={part.text} />
        </details>
      )
    case 'call':
      return (
        <div className={styles.tool}>
          <ToolLink id={part.id} onToolCall={onToolCall} text={`Calls ${part.name}`} />
          <JsonTree value={part.value} />
        </div>
      )
    case 'result':
      return (
        <div className={styles.tool}>
          <ToolLink id={part.id} onToolCall={onToolCall} text="Result" />
          <JsonTree value={part.value} />
        </div>
      )
    case 'media':
      return <MediaPart bytes={part.bytes} mime={part.mime} url={part.url} />
    case 'other':
      return <JsonTree value={part.value} />
  }
}

type LinkProps = { readonly id: string | null; readonly text: string; readonly onToolCall: ListProps['onToolCall'] }

function ToolLink({ id, text, onToolCall }: LinkProps) {
  if (id === null || onToolCall === null) return <strong>{text}</strong>
  return (
    <button className={styles.link} onClick={() => onToolCall(id)} title={`Tool call ${id}`} type="button">
      {text}
    </button>
  )
}
