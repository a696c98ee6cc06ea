// npm run soak -- [--runs N] [--only name,name]: runs each scenario N times, on a cluster that keeps running; prints a tally. A run that
// breaks an invariant reports which, and the next one gets a new cluster.
import { parseArgs } from 'node:util'
import '../_kit/leave.ts'
import { type MortalDatabase, openMortalDatabase } from './_database.ts'
import { keepScene } from './_keep-scene.ts'
import type { SceneOptions } from './_scene.ts'
import { core, type Scenario, scenarios } from './_soak-list.ts'
import type { Result } from './_under.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '10' }, only: { type: 'string' } } })
const runs = Number(values.runs)
const names = values.only?.split(',') ?? core

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const summed = new Set(['spans', 'failed', 'lost', 'doubled'])

type Tally = { runs: number; failed: number; readonly figures: Map<string, number[]> }

async function main(): Promise<void> {
  const unknown = names.filter((name) => scenarios[name] === undefined)
  if (unknown.length > 0 || !Number.isInteger(runs) || runs < 1)
    throw new Error(`--runs is a number and --only any of ${Object.keys(scenarios).join(', ')}`)
  const usual: SceneOptions<MortalDatabase> = { openDatabase: openMortalDatabase }
  const kept = keepScene(usual)
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      ending.abort()
      say('ending after this run')
    })
  try {
    for (const name of names) {
      const tally: Tally = { runs: 0, failed: 0, figures: new Map() }
      for (let run = 1; run <= runs && !ending.signal.aborted; run += 1) {
        const result = await (scenarios[name] as Scenario)(kept)
        add(tally, result)
        const words = Object.entries(result.figures).map(([figure, value]) => `${figure} ${value}`)
        say(
          `${name} ${run}/${runs} ${result.faults.length === 0 ? 'ok' : `FAILED: ${result.faults.join('; ')}`} ${words.join(' ')}`,
        )
      }
      say(writeTally(name, tally))
      if (tally.failed > 0) process.exitCode = 1
    }
  } finally {
    await kept.stop()
  }
}

function add(tally: Tally, { faults, figures }: Result): void {
  tally.runs += 1
  if (faults.length > 0) tally.failed += 1
  for (const [name, value] of Object.entries(figures)) {
    const known = tally.figures.get(name) ?? []
    tally.figures.set(name, [...known, value])
  }
}

function writeTally(name: string, { runs, failed, figures }: Tally): string {
  const words = [...figures].map(([figure, values]) => {
    const sorted = values.toSorted((a, b) => a - b)
    if (summed.has(figure)) return `${figure} ${sorted.reduce((sum, value) => sum + value, 0)}`
    const at = (share: number): number => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0
    return `${figure} median ${at(0.5)} worst ${at(1)}`
  })
  return `== ${name}: ${runs - failed} of ${runs} runs held every invariant; ${words.join(', ')}`
}

await main()
