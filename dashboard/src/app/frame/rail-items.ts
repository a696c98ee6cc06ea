// The items of the rail, in order.
import {
  Bot,
  ChartBar,
  Gauge,
  HeartPulse,
  KeyRound,
  Lightbulb,
  ListTree,
  type LucideIcon,
  PiggyBank,
  Radio,
  Rows3,
  Scale,
  Settings,
} from 'lucide-react'
import type { LinkProps } from '../../ui/index.ts'

export type RailItem = {
  readonly label: string
  readonly to: LinkProps['to']
  readonly icon: LucideIcon
  /** The key that opens the page after `g`. */
  readonly key: string
  /** Items of one group are shown together. */
  readonly group: 'watch' | 'improve' | 'manage'
}

export const railItems: readonly RailItem[] = [
  { label: 'Overview', to: '/w/$workspace_id', icon: Gauge, key: 'o', group: 'watch' },
  { label: 'Agents', to: '/w/$workspace_id/agents', icon: Bot, key: 'a', group: 'watch' },
  { label: 'Traces', to: '/w/$workspace_id/traces', icon: ListTree, key: 't', group: 'watch' },
  { label: 'Events', to: '/w/$workspace_id/events', icon: Rows3, key: 'e', group: 'watch' },
  { label: 'Live', to: '/w/$workspace_id/live', icon: Radio, key: 'l', group: 'watch' },
  { label: 'Decisions', to: '/w/$workspace_id/decisions', icon: Scale, key: 'd', group: 'improve' },
  { label: 'Findings', to: '/w/$workspace_id/findings', icon: Lightbulb, key: 'f', group: 'improve' },
  { label: 'Savings', to: '/w/$workspace_id/savings', icon: PiggyBank, key: 's', group: 'improve' },
  { label: 'Usage', to: '/w/$workspace_id/usage', icon: ChartBar, key: 'u', group: 'manage' },
  { label: 'Telemetry', to: '/w/$workspace_id/telemetry', icon: HeartPulse, key: 'h', group: 'manage' },
  { label: 'Keys', to: '/w/$workspace_id/keys', icon: KeyRound, key: 'k', group: 'manage' },
  { label: 'Settings', to: '/w/$workspace_id/settings', icon: Settings, key: ',', group: 'manage' },
]
