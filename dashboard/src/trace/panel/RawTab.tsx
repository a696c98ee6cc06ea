// The response of the API for a span, to read and to copy.
import { useMemo } from 'react'
import { CopyButton } from '../../ui/index.ts'
import { Text } from '../content/Text.tsx'
import type { SpanDetail } from '../use-detail.ts'

export function RawTab({ detail }: { readonly detail: SpanDetail }) {
  const text = useMemo(() => JSON.stringify(detail, null, 2), [detail])
  return (
    <>
      <CopyButton label="Copy the JSON" text={text} />
      <Text isMono text={text} />
    </>
  )
}
