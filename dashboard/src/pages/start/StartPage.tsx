import { Page } from '../../ui/index.ts'

export function StartPage() {
  return <Page title="Get started">{null}</Page>
}
