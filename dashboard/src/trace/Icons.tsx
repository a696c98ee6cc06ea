// Icons of kinds and marks. Each has a word beside it or a label for screen readers, so that no meaning depends on the icon alone.
import {
  Bot,
  Circle,
  CircleAlert,
  CircleHelp,
  Database,
  FlaskConical,
  Link2,
  MessageSquare,
  Play,
  Scale,
  Search,
  ShieldCheck,
  TriangleAlert,
  Waypoints,
  Wrench,
  Zap,
} from 'lucide-react'
import { type CallMark, callMarkMeaning } from './describe-node.ts'
import styles from './icons.module.css'

const kindIcons = {
  llm: MessageSquare,
  embedding: Waypoints,
  tool: Wrench,
  agent: Bot,
  chain: Link2,
  retriever: Search,
  reranker: Scale,
  guardrail: ShieldCheck,
  evaluator: Scale,
  memory: Database,
  missing: CircleHelp,
  other: Circle,
} as const

/** The icon of a kind of span, labelled with the kind. `isLabelled` is false where the kind is written beside it. */
export function KindIcon({ kind, isLabelled = true }: { readonly kind: string; readonly isLabelled?: boolean }) {
  const Icon = kindIcons[kind as keyof typeof kindIcons] ?? kindIcons.other
  return (
    // Few elements per icon, since a grid holds hundreds of them: the label is an attribute and not an element.
    <span
      className={styles.kind}
      data-kind={kind}
      title={kind}
      {...(isLabelled ? { role: 'img', 'aria-label': kind } : {})}
    >
      <Icon aria-hidden size={14} strokeDasharray={Icon === kindIcons.other ? '3 3' : undefined} />
    </span>
  )
}

const markIcons = { real: Play, served: Zap, holdout: FlaskConical, error: CircleAlert } as const

/** How a call was answered, as an icon and a word. */
export function CallMarkIcon({ mark }: { readonly mark: CallMark }) {
  const Icon = markIcons[mark]
  return (
    <span className={styles.mark} data-mark={mark} title={callMarkMeaning[mark]}>
      <Icon aria-hidden size={12} />
      {mark}
    </span>
  )
}

/** A warning icon with the sentences in `said`; renders nothing without one. */
export function WarningMark({ said }: { readonly said: readonly string[] }) {
  if (said.length === 0) return null
  const text = said.join('. ')
  return (
    <span className={styles.warning} title={text}>
      <TriangleAlert aria-hidden size={13} />
      <span className="visually-hidden">{text}</span>
    </span>
  )
}
