import {
  CircleCheck,
  CircleDashed,
  CircleDotDashed,
  CircleSlash,
  Info,
  type LucideIcon,
  OctagonAlert,
  TriangleAlert,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** A word in a frame. The word has the meaning, which the colour only repeats. */
export function Badge({
  tone = 'plain',
  icon: Icon,
  children,
}: {
  readonly tone?: keyof typeof tones
  readonly icon?: LucideIcon
  readonly children: ReactNode
}) {
  return (
    <span className={`${styles.badge} ${tones[tone]}`}>
      {Icon !== undefined && <Icon size={12} aria-hidden="true" />}
      {children}
    </span>
  )
}

const tones = {
  plain: styles.plain,
  proposed: styles.proposed,
  shadow: styles.shadow,
  active: styles.active,
  disabled: styles.disabled,
  tripped: styles.tripped,
  danger: styles.danger,
  warning: styles.warning,
  info: styles.info,
  good: styles.good,
} as const

const states = {
  proposed: CircleDashed,
  shadow: CircleDotDashed,
  active: CircleCheck,
  disabled: CircleSlash,
} as const

const isKnown = (state: string): state is keyof typeof states => Object.hasOwn(states, state)

/** The state of a decision. `isTripped`: the gate disabled it. */
export function DecisionState({ state, isTripped = false }: { readonly state: string; readonly isTripped?: boolean }) {
  if (isTripped) {
    return (
      <Badge tone="tripped" icon={Zap}>
        disabled by the service
      </Badge>
    )
  }
  if (!isKnown(state)) return <Badge>{state}</Badge>
  return (
    <Badge tone={state} icon={states[state]}>
      {state}
    </Badge>
  )
}

const severities = { info: Info, warning: TriangleAlert, critical: OctagonAlert } as const

export function Severity({ severity }: { readonly severity: keyof typeof severities }) {
  return (
    <Badge tone={severity === 'critical' ? 'danger' : severity} icon={severities[severity]}>
      {severity}
    </Badge>
  )
}
