// Lines that cannot be written are lost and counted, and nothing else happens.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { pino } from 'pino'
import { openLineOutput } from '../../src/telemetry/standard-output.ts'
import { until } from '../_kit/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'output-'))
test.after.always(() => rmSync(folder, { recursive: true, force: true }))

const source = (file: string): string => new URL(`../../src/telemetry/${file}`, import.meta.url).href
const ours = `
  import { makeLog } from '${source('log.ts')}'
  import { standardOutput } from '${source('standard-output.ts')}'
  const log = makeLog('info')
  const tell = () => process.send?.(standardOutput.lostLines())
`
const cwd = new URL('../..', import.meta.url)
const run = (script: string): string[] => ['--input-type=module', '-e', script]

test('a full disk does not end the process: its lines are lost, and standard error names the reason once', (t) => {
  const full = openSync('/dev/full', 'w')
  const script = `${ours}\nlog.info('one')\nlog.error('two')\nsetImmediate(() => log.info('three'))`
  const { status, stderr } = spawnSync(process.execPath, run(script), {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
    cwd,
  })
  t.is(status, 0, stderr)
  t.is(stderr.match(/cannot write the log to standard output \(ENOSPC\)/g)?.length, 1, stderr)
  // The control: the library's own destination throws when no error listener is attached.
  const bare = pino(pino.destination({ fd: full, sync: true }))
  t.throws(() => bare.info('one'), { code: 'ENOSPC' })
  closeSync(full)
})

test('a full disk for both streams does not end the process either', (t) => {
  const full = openSync('/dev/full', 'w')
  const { status } = spawnSync(process.execPath, run(`${ours}\nlog.info('one')\nprocess.exitCode = 7`), {
    stdio: ['ignore', full, full],
    cwd,
  })
  t.is(status, 7)
  closeSync(full)
})

test('a closed pipe does not end the process', async (t) => {
  const script = `${ours}
    process.once('message', () => {
      log.info('one')
      log.info('two')
      const look = setInterval(() => {
        if (standardOutput.lostLines() < 2) return
        clearInterval(look)
        process.send(standardOutput.lostLines())
        process.disconnect()
      }, 2)
    })
    process.send('ready')`
  const child = spawn(process.execPath, run(script), { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], cwd })
  let stderr = ''
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()))
  const ended = once(child, 'close')
  await once(child, 'message')
  child.stdout?.destroy()
  if (child.stdout?.closed === false) await once(child.stdout, 'close')
  const told = once(child, 'message')
  child.send('go')
  t.deepEqual((await told)[0], 2)
  t.is((await ended)[0], 0, stderr)
  t.regex(stderr, /EPIPE/)
})

test('the last lines before the end of the process are written', (t) => {
  const script = `${ours}\nfor (let nth = 0; nth < 500; nth += 1) log.info({ nth }, 'line')\nprocess.exit(3)`
  const { status, stdout } = spawnSync(process.execPath, run(script), { encoding: 'utf8', cwd })
  t.is(status, 3)
  const numbers = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { nth: number }).nth)
  t.deepEqual(
    numbers.sort((a, b) => a - b),
    Array.from({ length: 500 }, (_, nth) => nth),
  )
})

/** Opens a pipe whose ends do not block. */
function openPipe(name: string): { readonly reader: number; readonly writer: number; readonly path: string } {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return { reader, writer: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK), path }
}

/** Returns the available bytes, at most `most` of them. */
function readSome(fd: number, most = Number.POSITIVE_INFINITY): string {
  const room = Buffer.alloc(65_536)
  let text = ''
  try {
    while (text.length < most) {
      const bytes = readSync(fd, room, 0, Math.min(room.length, most - text.length), null)
      if (bytes === 0) break
      text += room.toString('latin1', 0, bytes)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
  }
  return text
}

const line = `${JSON.stringify({ text: 'x'.repeat(10_000) })}\n`

test('if a reader pauses, some lines are buffered, the next ones are lost, and later ones are complete', async (t) => {
  const { reader, writer } = openPipe('still')
  const reasons: string[] = []
  const output = openLineOutput(writer, (reason) => void reasons.push(reason))
  let taken = 0
  for (; output.lostLines() === 0; taken += 1) output.write(line)
  output.write(line)
  t.is(output.lostLines(), 2)
  t.deepEqual(reasons, ['its reader is behind'])
  let text = ''
  await until(() => {
    text += readSome(reader)
    return text.length >= (taken - 1) * line.length
  })
  t.is(text, line.repeat(taken - 1))
  output.write('{"after":1}\n')
  await until(() => readSome(reader) === '{"after":1}\n')
  t.is(output.lostLines(), 2)
  closeSync(reader)
  closeSync(writer)
})

test('text after half a line begins on a new line', async (t) => {
  const { reader, writer, path } = openPipe('torn')
  const reasons: string[] = []
  const output = openLineOutput(writer, (reason) => void reasons.push(reason))
  const lines = 20
  for (let nth = 0; nth < lines; nth += 1) output.write(line)
  // More than that is in the pipe, which has no room for all.
  const firstBytes = line.length + 100
  let text = ''
  await until(() => {
    text += readSome(reader, firstBytes - text.length)
    return text.length === firstBytes
  })
  closeSync(reader)
  await until(() => output.lostLines() > 0)
  t.deepEqual(reasons, ['EPIPE'])
  const again = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  output.write('{"after":1}\n')
  await until(() => {
    text += readSome(again)
    return text.endsWith('}\n') && text.includes('after')
  })
  const whole = text.split('\n').filter((one) => `${one}\n` === line).length
  t.is(text.split('\n').at(-2), '{"after":1}')
  t.is(whole + output.lostLines(), lines)
  closeSync(again)
  closeSync(writer)
})

test('a reader that stalls on both streams stops neither the event loop nor the end of the process', async (t) => {
  const path = join(folder, 'stalled')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const blocking = openSync(path, constants.O_WRONLY)
  const filler = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  t.throws(
    () => {
      for (;;) writeSync(filler, 'x'.repeat(4_096))
    },
    { code: 'EAGAIN' },
  )
  // Without the library, which may make the streams non-blocking when it is loaded.
  const script = `
    import { standardOutput } from '${source('standard-output.ts')}'
    for (let line = 0; line < 3_000; line += 1) standardOutput.write('x'.repeat(1_000) + '\\n')
    setImmediate(() => process.send(standardOutput.lostLines()))
    process.once('message', () => process.exit(5))
  `
  const child = spawn(process.execPath, run(script), { stdio: ['ignore', blocking, blocking, 'ipc'], cwd })
  closeSync(blocking)
  const ended = once(child, 'exit')
  const [lost] = (await once(child, 'message')) as [number]
  t.true(lost > 0, 'the control: more was logged than the pipe and the memory hold')
  child.send('end')
  t.deepEqual(await ended, [5, null])
  for (const fd of [filler, reader]) closeSync(fd)
})
