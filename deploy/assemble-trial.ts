// Floor 4. Tries an image on a real PostgreSQL: migrates, serves, is asked as an orchestrator asks, takes a span, stops.

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../src/store/free-port.ts'
import { startImage } from './assemble-start.ts'
import type { Image } from './assemble-tree.ts'

export type Trial = {
  /** Of the role `migrate`, which ends by itself. */
  readonly migrateCode: number | null
  /** Of the process that served: as /proc tells. */
  readonly process: { uid: string; capabilities: string; noNewPrivileges: string; root: string }
  /** The image's own health check: before the start, while it served, after the stop. */
  readonly probes: readonly (number | null)[]
  readonly ready: number
  readonly ingestStatus: number
  /** Calls that the summary counts after one span was sent. */
  readonly calls: number
  readonly stopCode: number | null
  readonly startMs: number
  /** How many modules the service took from the compile cache, and which it did not. */
  readonly cache: { readonly accepted: number; readonly missed: readonly string[] }
  readonly written: string
}

const deadlineMs = 30_000

/** The database must be empty or ours, and reachable from this machine. Throws where a step does not come about, with what was written. */
export async function tryImage(image: Image, databaseUrl: string): Promise<Trial> {
  const secrets = mkdtempSync(join(tmpdir(), 'tracewright-secrets-'))
  try {
    writeFileSync(join(secrets, 'database_url'), databaseUrl)
    writeFileSync(join(secrets, 'secret'), randomBytes(32).toString('base64url'))
    // Only who may enter the folder reads them; inside it is a mount.
    for (const name of ['database_url', 'secret']) chmodSync(join(secrets, name), 0o444)
    chmodSync(secrets, 0o755)
    return await tryWith(image, secrets)
  } finally {
    rmSync(secrets, { recursive: true, force: true })
  }
}

async function tryWith(image: Image, secrets: string): Promise<Trial> {
  const port = await findFreePort()
  const env = {
    TRACEWRIGHT_HOST: '127.0.0.1',
    TRACEWRIGHT_PORT: String(port),
    TRACEWRIGHT_METRICS_PORT: '0',
    TRACEWRIGHT_DATABASE_URL_FILE: '/run/secrets/database_url',
    TRACEWRIGHT_SECRET_FILE: '/run/secrets/secret',
  }
  const askImage = async (): Promise<number | null> => await startImage(image, image.healthcheck, env).ended
  const before = await askImage()
  const migrating = startImage(image, image.entrypoint, { ...env, TRACEWRIGHT_ROLES: 'migrate' }, secrets)
  const migrateCode = await migrating.ended
  if (migrateCode !== 0) throw new Error(`the role migrate exited with code ${migrateCode}:\n${migrating.written()}`)

  const startedAtMs = performance.now()
  const service = startImage(image, image.entrypoint, { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }, secrets)
  let hasEnded = false
  void service.ended.then(() => {
    hasEnded = true
  })
  const baseUrl = `http://127.0.0.1:${port}`
  try {
    await waitUntilReady(baseUrl, () => {
      if (hasEnded) throw new Error(`the service stopped during its start:\n${service.written()}`)
    })
    const startMs = Math.round(performance.now() - startedAtMs)
    const seen = readProcess(service.pid)
    const during = await askImage()
    const ready = (await fetch(`${baseUrl}/v1/health/ready`)).status
    const { status, calls } = await sendSpan(baseUrl)
    service.signal('SIGTERM')
    const stopCode = await service.ended
    const after = await askImage()
    return {
      migrateCode,
      process: seen,
      probes: [before, during, after],
      ready,
      ingestStatus: status,
      calls,
      stopCode,
      startMs,
      cache: service.cache(),
      written: service.written(),
    }
  } finally {
    if (!hasEnded) service.signal('SIGKILL')
    await service.ended
  }
}

function readProcess(pid: number): Trial['process'] {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? ''
  // Fields: id, parent, device, root of the mount, where it is mounted, how.
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
  const root = mounts.find((fields) => fields[4] === '/')?.[5]?.split(',')[0] ?? ''
  return { uid: field('Uid'), capabilities: field('CapEff'), noNewPrivileges: field('NoNewPrivs'), root }
}

async function sendSpan(baseUrl: string): Promise<{ status: number; calls: number }> {
  const call = async <T>(path: string, token: string | null, body?: object): Promise<T> => {
    const response = await fetch(baseUrl + path, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    })
    if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
    return (await response.json()) as T
  }
  const person = { email: `${randomBytes(6).toString('hex')}@example.com`, password: randomBytes(12).toString('hex') }
  const { access_token: token } = await call<{ access_token: string }>('/v1/auth/signup', null, person)
  const [workspace] = await call<{ id: string }[]>('/v1/workspaces', token)
  const asked = { workspace_id: workspace?.id, name: 'trial' }
  const { api_key: key } = await call<{ api_key: string }>('/v1/keys', token, asked)
  const response = await fetch(`${baseUrl}/v1/otlp/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(makeSpan()),
  })
  const path = `/v1/workspaces/${workspace?.id}/stats/summary`
  const summary = await call<{ llm_calls: number }>(path, token)
  return { status: response.status, calls: summary.llm_calls }
}

function makeSpan(): object {
  const attributes = Object.entries({ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }).map(
    ([key, stringValue]) => ({ key, value: { stringValue } }),
  )
  const span = {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'chat gpt-4o',
    kind: 3,
    startTimeUnixNano: `${Date.now() - 2_000}000000`,
    endTimeUnixNano: `${Date.now() - 1_000}000000`,
    attributes,
  }
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [span] }] }] }
}

async function waitUntilReady(baseUrl: string, check: () => void): Promise<void> {
  const endsAtMs = performance.now() + deadlineMs
  for (;;) {
    check()
    const answer = await fetch(`${baseUrl}/v1/health/ready`).catch(() => null)
    if (answer?.ok === true) return
    if (performance.now() > endsAtMs) throw new Error('the service did not become ready in time')
    await new Promise((done) => setTimeout(done, 20))
  }
}
