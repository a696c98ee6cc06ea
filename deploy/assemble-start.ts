// Floor 4. Starts what an image holds as a container would: its own user without rights, its root read-only, a small /tmp of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Image } from './assemble-tree.ts'

export type Started = {
  readonly pid: number
  /** The lines that it wrote, the last thousand of them. */
  written(): string
  /** How many modules it took from the compile cache, and which it did not, where NODE_DEBUG_NATIVE=COMPILE_CACHE. */
  cache(): { readonly accepted: number; readonly missed: readonly string[] }
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>
}

const longestLifeMs = 120_000
const keptLines = 1_000

// Every mount is this process's own and goes with it. The last line replaces the shell, so that signals reach the program itself.
const script = `set -e
mount --bind "$1" "$1"
mount --rbind /dev "$1/dev"
mount --rbind /proc "$1/proc"
for file in hosts resolv.conf; do mount --bind "/etc/$file" "$1/etc/$file"; mount -o remount,ro,bind "$1/etc/$file"; done
if [ -n "$2" ]; then mount --bind "$2" "$1/run/secrets"; mount -o remount,ro,bind "$1/run/secrets"; fi
mount -t tmpfs -o size=64m,mode=1777,nosuid,nodev tmpfs "$1/tmp"
mount -o remount,ro,bind "$1"
root=$1 user=$3
shift 3
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" "$@"`

/** Needs root, to give it up. `secrets` is a folder that is seen as /run/secrets; '' for none. */
export function startImage(
  image: Image,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  secrets = '',
): Started {
  const args = ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', image.root, secrets, image.user]
  const child: ChildProcess = spawn('unshare', [...args, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...image.env, ...env },
  })
  const written: string[] = []
  const missed: string[] = []
  let accepted = 0
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      if (!line.startsWith('[compile cache]')) written.push(line)
      else if (line.includes(' was accepted')) accepted++
      // Threads write at once: only what names the file and the outcome in one piece tells something.
      else if (/V8 code cache for .* was not |no transpile cache for /.test(line)) missed.push(line)
      if (written.length > keptLines) written.shift()
    })
  }
  const killer = setTimeout(() => child.kill('SIGKILL'), longestLifeMs)
  const ended = new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail)).finally(() =>
    clearTimeout(killer),
  )
  return {
    pid: child.pid ?? 0,
    written: () => written.join('\n'),
    cache: () => ({ accepted, missed }),
    signal: (name) => void child.kill(name),
    ended,
  }
}
