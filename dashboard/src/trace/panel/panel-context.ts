// What the tabs of the panel of a span share.
import type { SpanTree } from '../use-spans.ts'

export type PanelContext = {
  readonly workspaceId: string
  readonly tree: SpanTree
  readonly node: number
  readonly previousCall: number
  readonly onSelect: (node: number) => void
}
