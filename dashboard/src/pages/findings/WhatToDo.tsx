// The remedy of a finding: a sentence, code, or the rule that applies it.
import { useQuery } from '@tanstack/react-query'
import { decisionQuery } from '../../decisions/queries.ts'
import { CopyLine, DecisionState, Link } from '../../ui/index.ts'
import { type Advice, adviseOn } from './advice.ts'
import styles from './findings.module.css'
import type { Finding } from './queries.ts'
import { Section } from './Section.tsx'

const pages = {
  telemetry: { to: '/w/$workspace_id/telemetry', label: 'Open telemetry health' },
  usage: { to: '/w/$workspace_id/usage', label: 'Open usage' },
  prices: { to: '/w/$workspace_id/settings/prices', label: 'Set a price' },
} as const

export function WhatToDo({ workspaceId, finding }: { readonly workspaceId: string; readonly finding: Finding }) {
  const advice = adviseOn(finding)
  if (advice === null && finding.decision_id === null) return null
  return (
    <Section title="What to do">
      {advice !== null && <Steps advice={advice} />}
      {/* A disabled rule is no longer linked to a finding, so the page links to all rules of the tool. */}
      {finding.decision_id === null && finding.tool_name !== null && hasHadRules(finding) && (
        <p>
          <Link to="/w/$workspace_id/decisions" search={{ view: 'list', tool_name: finding.tool_name }}>
            The rules of {finding.tool_name}, with their state
          </Link>
        </p>
      )}
      {finding.decision_id !== null && <Rule workspaceId={workspaceId} decisionId={finding.decision_id} />}
    </Section>
  )
}

const hasHadRules = ({ evidence: { remedy } }: Finding): boolean => remedy === 'rule' || remedy === 'refuted'

function Steps({ advice: { text, code, page } }: { readonly advice: Advice }) {
  return (
    <>
      <p className={styles.text}>{text}</p>
      {code !== undefined && <CopyLine text={code} label="Code" />}
      {page !== undefined && (
        <p>
          <Link to={pages[page].to}>{pages[page].label}</Link>
        </p>
      )}
    </>
  )
}

const meanings: Readonly<Record<string, string>> = {
  proposed: 'It waits to be measured.',
  shadow: 'It is measured on your traffic and serves nothing yet.',
  active: 'It serves stored results.',
  disabled: 'It serves nothing: the calls run for real.',
}

function Rule({ workspaceId, decisionId }: { readonly workspaceId: string; readonly decisionId: string }) {
  const { data } = useQuery(decisionQuery(workspaceId, decisionId))
  return (
    <p className={styles.rule}>
      <Link to="/w/$workspace_id/decisions/$decision_id" params={{ decision_id: decisionId }}>
        The rule for it
      </Link>
      {data !== undefined && (
        <>
          <DecisionState state={data.state} /> <span>{meanings[data.state]}</span>
        </>
      )}
    </p>
  )
}
