import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { claimFolder } from '../../src/store/claim-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'claim-'))
const file = join(folder, 'service.pid')
test.after.always(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a process that runs until it is killed or the test ends. */
async function startOther(t: ExecutionContext): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', 'read line'], { stdio: ['pipe', 'ignore', 'ignore'] })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'spawn')
  return child
}

const readStart = (pid: number | undefined): string =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')[19] ?? ''

test.serial('a folder is claimed and released', async (t) => {
  const claim = await claimFolder(folder)
  t.regex(readFileSync(file, 'utf8'), new RegExp(`^${process.pid} ${readStart(process.pid)}\\n\\d+:\\d+\\n$`))
  claim.release()
  t.false(existsSync(file))
})

test.serial(
  'a claim that is undone leaves the file as it was, such as with the claim of another container',
  async (t) => {
    const claim = await claimFolder(folder)
    claim.undo()
    t.false(existsSync(file))
    const foreign = '1 1\n1:1\n'
    writeFileSync(file, foreign)
    const second = await claimFolder(folder)
    t.not(readFileSync(file, 'utf8'), foreign)
    second.undo()
    t.is(readFileSync(file, 'utf8'), foreign)
    rmSync(file)
  },
)

test.serial(
  'one that another process has claimed is refused while that runs, and taken over once it was killed',
  async (t) => {
    const other = await startOther(t)
    const start = readStart(other.pid)
    writeFileSync(file, `${other.pid} ${start}\n`)
    await t.throwsAsync(claimFolder(folder), { message: new RegExp(`process \\(${other.pid}\\) already runs on`) })
    // It ends while the next claim waits.
    const next = claimFolder(folder, 60_000)
    other.kill('SIGKILL')
    ;(await next).release()
    t.false(existsSync(file))
  },
)

test.serial('a process that has the number of an old one by chance is not taken for it', async (t) => {
  const other = await startOther(t)
  writeFileSync(file, `${other.pid} 1\n`)
  const claim = await claimFolder(folder)
  other.kill('SIGKILL')
  // A later claim by another process is left alone.
  writeFileSync(file, '1 1\n')
  claim.release()
  t.is(readFileSync(file, 'utf8'), '1 1\n')
})

test.serial('a copy of a claimed folder is free, and the folder under another name is not', async (t) => {
  const other = await startOther(t)
  const claim = await claimFolder(folder)
  const { ino, dev } = statSync(folder, { bigint: true })
  writeFileSync(file, `${other.pid} ${readStart(other.pid)}\n${dev}:${ino}\n`)
  const copy = `${folder}-copy`
  cpSync(folder, copy, { recursive: true })
  const claimOfCopy = await claimFolder(copy)
  claimOfCopy.release()
  rmSync(copy, { recursive: true })

  renameSync(folder, copy)
  await t.throwsAsync(claimFolder(copy), { message: new RegExp(`process \\(${other.pid}\\) already runs on`) })
  renameSync(copy, folder)
  other.kill('SIGKILL')
  claim.release()
})
