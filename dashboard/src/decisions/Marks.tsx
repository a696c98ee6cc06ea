// Small signs of a decision: its claim, its verdict, and how far its evidence reaches.
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

/** The bound and what is asked for, in words. */
export function describeBound({ wrongShareUpper, floor }: Pick<Score, 'wrongShareUpper' | 'floor'>): string {
  const bound =
    wrongShareUpper >= 1 ? 'The evidence sets no bound yet' : `At least ${formatFraction(1 - wrongShareUpper)} right`
  return `${bound}; ${formatFraction(floor)} are required`
}

/** The share of right results that the evidence leaves possible, against the floor. Null where nothing was measured. */
export function BoundBar({ decision }: { readonly decision: Pick<Decision, 'score'> }) {
  const score = readScore(decision)
  if (score === null) return null
  return (
    <IntervalBar
      lower={1 - score.wrongShareUpper}
      upper={1}
      mark={score.floor}
      scale={scaleAround(score.floor)}
      text={describeBound(score)}
    />
  )
}
