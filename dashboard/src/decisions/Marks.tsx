// Small indicators of a decision: the icon of its claim, the badge of its verdict, and the bar of the bound that its evidence proves.
import { EyeOff, type LucideIcon, Repeat, Workflow } from 'lucide-react'
import { IntervalBar, scaleAround } from '../charts/index.ts'
import { formatFraction } from '../format/index.ts'
import { Badge } from '../ui/index.ts'
import { type Decision, readScore, type Score } from './score.ts'
import { judge, nameClaim } from './wording.ts'

const icons: Readonly<Record<string, LucideIcon>> = { reuse_identity: Repeat, suppress_dead: EyeOff }

export function ClaimIcon({ type }: { readonly type: string }) {
  const Icon = icons[type] ?? Workflow
  return (
    <span title={nameClaim(type)}>
      <Icon size={14} aria-hidden="true" />
      <span className="visually-hidden">{nameClaim(type)}: </span>
    </span>
  )
}

export function VerdictBadge({ decision }: { readonly decision: Pick<Decision, 'state' | 'score'> }) {
  const { word, tone } = judge(decision)
  return <Badge tone={tone}>{word}</Badge>
}

/** Describes in words the bound that the evidence proves, and the required floor. */
export function describeBound(type: string, { wrongShareUpper, floor, verdict }: Score): string {
  const isUnread = type === 'suppress_dead'
  const required = `${formatFraction(floor)} ${isUnread ? 'of sessions' : 'of results'}`
  if (verdict === 'fail') return `${isUnread ? 'Unread' : 'Right'} in less than the required ${required}`
  if (wrongShareUpper >= 1) return `The evidence sets no bound yet; ${required} are required`
  return `${isUnread ? 'Unread' : 'Right'} in at least ${formatFraction(1 - wrongShareUpper)}; ${required} are required`
}

/** Shows the share of right results that the evidence leaves possible as an interval, and the floor. Renders nothing without a score. */
export function BoundBar({ decision }: { readonly decision: Pick<Decision, 'type' | 'score'> }) {
  const score = readScore(decision)
  if (score === null) return null
  return (
    <IntervalBar
      lower={1 - score.wrongShareUpper}
      upper={score.verdict === 'fail' ? score.floor : 1}
      mark={score.floor}
      scale={scaleAround(score.floor)}
      formatEnd={(share) => formatFraction(share)}
      text={describeBound(decision.type, score)}
    />
  )
}
