// The empty state of the page: it explains why nothing was saved, and offers one action.

import type { Schemas } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { NoDecisions } from '../../decisions/NoDecisions.tsx'
import { formatCount } from '../../format/index.ts'
import { NothingStored } from '../../list/NothingStored.tsx'
import { Button, Empty, Link } from '../../ui/index.ts'
import { chooseLonger } from './facts.ts'

type Props = {
  readonly counts: Schemas['DecisionSummary']
  readonly hasAgents: boolean
  /** The time in milliseconds at which a rule was last activated. Null: no rule ever was. */
  readonly lastActiveMs: number | null
}

export function NoSavings({ counts, hasAgents, lastActiveMs }: Props) {
  const { window, setWindow } = usePageWindow()
  if (counts.total === 0 && !hasAgents) {
    return <NothingStored>Rules are proposed from traces.</NothingStored>
  }
  if (counts.total === 0) return <NoDecisions />
  if (lastActiveMs === null) {
    return (
      <Empty action={<Link to="/w/$workspace_id/decisions">See how far they are</Link>}>
        {formatCount(counts.total)} {counts.total === 1 ? 'rule is' : 'rules are'} known, and none has served a call
        yet: a rule serves once it is proven on your traffic.
      </Empty>
    )
  }
  const longer = chooseLonger(window)
  return (
    <Empty
      action={
        longer === null ? (
          <Link to="/w/$workspace_id/decisions">See the rules</Link>
        ) : (
          <Button onClick={() => setWindow(longer)}>Show more time</Button>
        )
      }
    >
      No rule served or held out a call in this window.
    </Empty>
  )
}
