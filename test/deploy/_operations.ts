// The material for operators to monitor the service: alerts, runbooks, the dashboard.
import { basename } from 'node:path'
import { parse } from 'yaml'
import { listFiles, read } from '../shape/_source.ts'

export type Alert = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

type Target = { readonly refId: string; readonly expr: string; readonly legendFormat: string }
export type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly datasource?: { readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly Target[]
}
export type Dashboard = {
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] }
  readonly panels: readonly Panel[]
}

const files = 'deploy/helm/tracewright/files'

export const dashboard = JSON.parse(read(`${files}/dashboard.json`)) as Dashboard

const readAlerts = (file: string): Alert[] =>
  (parse(read(`${files}/${file}`)) as { groups: readonly { rules: readonly Alert[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  )

/** The second file is about the chart's own database. */
export const alerts: readonly Alert[] = ['alerts.yaml', 'backup-alerts.yaml'].flatMap(readAlerts)

export type Runbook = { readonly path: string; readonly name: string; readonly text: string }

export const runbooks: readonly Runbook[] = listFiles(['deploy/runbooks'], ['.md'])
  .map(({ path, text }) => ({ path, text, name: basename(path, '.md') }))
  .filter(({ name }) => name !== 'README')

/** Returns the code blocks of one language in a page. */
export const listBlocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, 'gms'))].map(([, block]) => block ?? '')

/** Every query with its location. */
export const queries: readonly { readonly at: string; readonly text: string }[] = [
  ...alerts.map(({ alert, expr }) => ({ at: alert, text: expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ at: title, text: expr }))),
  ...runbooks.flatMap(({ path, text }) => listBlocks(text, 'promql').map((block) => ({ at: path, text: block }))),
]
