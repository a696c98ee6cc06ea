// Inserts workspaces and decisions by plain SQL, for tests that need them but do not test their creation.
import { randomBytes } from 'node:crypto'
import { makeUuidV7 } from '../../src/base/ids.ts'
import type { TestDatabase } from './db.ts'

/** Inserts a workspace in a new org and returns its id. */
export async function makeWorkspace(query: TestDatabase['query'], options: { plan?: string } = {}): Promise<string> {
  const orgId = makeUuidV7()
  const id = makeUuidV7()
  await query('insert into orgs (id, name) values ($1, $2)', [orgId, 'org'])
  await query('insert into workspaces (id, org_id, name, plan, redaction_secret) values ($1, $2, $3, $4, $5)', [
    id,
    orgId,
    'workspace',
    options.plan ?? 'free',
    randomBytes(32),
  ])
  return id
}

type DecisionOptions = {
  state?: 'proposed' | 'shadow' | 'active' | 'disabled'
  type?: string
  inputHash?: string | null
  /** Whole hashes. The rule is then about the tool, unless `inputHash` is given. Default: the one input is proven. */
  inputs?: readonly string[] | null
  toolVersion?: string | null
  proven?: boolean
  agentId?: string | null
  config?: object
}

/** Inserts a decision, active by default, counts up the version of the rules as a transition does, and returns its id. */
export async function addDecision(
  query: TestDatabase['query'],
  workspaceId: string,
  options: DecisionOptions,
): Promise<string> {
  const id = makeUuidV7()
  const {
    state = 'active',
    type = 'reuse_identity',
    inputHash = (options.inputs ?? null) === null ? `hash of ${id}` : null,
    toolVersion = null,
    proven = true,
    agentId = null,
    config = {},
  } = options
  const inputs = options.inputs ?? (inputHash === null ? null : [inputHash])
  await query(
    `insert into decisions (id, workspace_id, type, state, tool_name, input_hash, agent_id, config, tool_version, inputs, proven,
       activated_at)
     values ($1, $2, $3, $4, 'search', $5, $6, $7, $8, $9, $10, case when $4 = 'active' then now() end)`,
    [id, workspaceId, type, state, inputHash, agentId, config, toolVersion, inputs, proven],
  )
  await bumpRules(query, workspaceId)
  return id
}

export async function bumpRules(query: TestDatabase['query'], workspaceId: string): Promise<void> {
  await query('update workspaces set rules_version = rules_version + 1, rules_changed_at = now() where id = $1', [
    workspaceId,
  ])
}
