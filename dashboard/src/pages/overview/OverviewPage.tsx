import { Page } from '../../ui/index.ts'

export function OverviewPage() {
  return <Page title="Overview">{null}</Page>
}
