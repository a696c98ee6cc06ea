// Ordinary texts of agents without secrets, for measuring the cost of false suspicions.
import { createHash } from 'node:crypto'
import { openRandom } from './_texts.ts'

const json = JSON.stringify

const sentences = [
  'Could you check whether part 48-1123 is in stock? We need 25 pieces by 2026-11-20, at most 12.50 EUR each.',
  'The basic idea is simple: look it up first, then answer. Do not guess; keep the key points to three or four.',
  'Summarise the meeting of 14:30 on 3 March. Who is responsible for the passage on pricing, and by when?',
  'I could not find the order. Please pass me the order number (it begins with ORD-2024) or the delivery address.',
  'Le café est fermé, 漢字も読めます, naïve Zoë – all of it in one “sentence” with 😀 at its end.',
  'The model has a context of 128,000 tokens; a token is about four characters, so that makes 500 kB of text.',
  'Use `npm test -- --watch` and see https://docs.example.com/guide/start?tab=2#install for the rest of it.',
  'Secretary of state, tokenizer, cookies and cream, authorization to proceed, bearer of bad news: words, no more.',
]

const code = `import { readFile } from 'node:fs/promises'
export async function load(path: string, options = { encoding: 'utf8' }): Promise<Record<string, number>> {
  const text = await readFile(path, options) // 1.2.3
  for (const [key, value] of Object.entries(JSON.parse(text))) if (Number.isNaN(value)) throw new Error(\`bad \${key}\`)
  return JSON.parse(text)
}
std::vector<int> v = {1, 2, 3}; @decorator def run(self, x: int = 0x1f) -> None: return {**x, "a": [1e-5, 2.5e3]}`

const shell = `$ git log --oneline -3
1b6cbe5 Retention repeats its batches in one place
db7f025 Types are checked incrementally
total 48
-rw-r--r-- 1 app app 10485760 2026-11-20 10:20:30 data.bin
00:00:01.234 INFO  [main] started in 1234567 us, pid 48213`

const hash = (seed: number): string => createHash('sha256').update(String(seed)).digest('hex')
const uuid = (seed: number): string => hash(seed).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

/** Returns `count` texts of attributes as agents send them, the same for the same seed. */
export function makeOrdinaryTexts(count: number, seed: number): string[] {
  const random = openRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const prose = (): string => Array.from({ length: 1 + random(5) }, () => pick(sentences)).join(' ')
  const item = (): unknown => ({
    id: uuid(random(1_000_000)),
    sku: `48-${random(9_999)}`,
    price: random(100_000) / 100,
    stock: random(500),
    updated_at: `2026-11-${10 + random(18)}T10:${10 + random(49)}:30.${random(999)}Z`,
    url: `https://shop.example.com/p/${random(99_999)}?page=${random(9)}&sort=price`,
    score: 0.001_234 * random(1_000),
    tags: ['steel', 'hinge', null],
  })
  const usage = (): unknown => ({
    prompt_tokens: random(9_999),
    completion_tokens: random(999),
    total_tokens: random(9_999_999),
    prompt_tokens_details: { cached_tokens: 1_024 },
    max_tokens: 4_096,
  })
  const call = (): unknown => ({
    id: `call_${hash(random(9_999)).slice(0, 24)}`,
    type: 'function',
    function: { name: 'search_catalogue', arguments: json({ query: pick(sentences), limit: 20, key: 'name' }) },
  })
  const kinds: readonly (() => string)[] = [
    prose,
    () =>
      json([
        { role: 'system', content: prose() },
        { role: 'user', content: [{ type: 'text', text: prose() }] },
      ]),
    () =>
      json([
        { role: 'user', parts: [{ type: 'text', content: prose() }] },
        { role: 'assistant', tool_calls: [call()] },
      ]),
    () => json({ items: [item(), item(), item()], total: random(99), took_ms: random(999), next_cursor: null }),
    () => json({ content: json({ items: [item(), item()] }), is_error: false }, null, 2),
    () =>
      json({
        id: `chatcmpl-${hash(random(999)).slice(0, 29)}`,
        created: 1_763_600_000 + random(99_999),
        usage: usage(),
      }),
    () => json({ query: pick(sentences), limit: 20, page: random(9), since: '2026-11-01', sort_key: 'price' }),
    () => code,
    () => json({ path: 'src/load.ts', content: code }),
    () => shell,
    () => json({ stdout: shell, exit_code: 0 }),
    () =>
      pick([
        'gpt-4o',
        'claude-sonnet-4-20250514',
        'chatcmpl-9sd8',
        'stop',
        'user-97',
        uuid(random(9_999)),
        '2026.11.20',
      ]),
    () => hash(random(9_999)),
    () => json({ vector: Array.from({ length: 20 }, () => random(2_000_000) / 1_000_000 - 1) }),
  ]
  return Array.from({ length: count }, () => pick(kinds)())
}
