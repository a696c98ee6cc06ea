// The empty state of a workspace without rules: it explains how rules are created.

import { CopyLine, Empty } from '../ui/index.ts'
import { attestCode } from './attest-code.ts'

export const NoDecisions = () => (
  <Empty action={<CopyLine text={attestCode()} label="Attesting a tool" />}>
    There is no rule yet. Rules are proposed for tools that you attest: you say that their result depends only on their
    input, and the service proves it on your traffic before anything is served.
  </Empty>
)
