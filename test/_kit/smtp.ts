// A mail server for tests. It supports as much SMTP as a client needs to send a mail, and keeps the mails.
import { createServer, type Socket } from 'node:net'

export type Received = { readonly from: string; readonly to: string[]; readonly source: string; readonly text: string }

export type SmtpServer = {
  readonly url: string
  /** Accepted mails, oldest first. */
  readonly mails: Received[]
  /** All command lines, without the bodies. */
  readonly commands: string[]
  /** Answers to RCPT TO to send instead of 250, one each time; `hang` sends no answer. */
  readonly answers: string[]
  stop(): Promise<void>
}

export async function openSmtpServer(): Promise<SmtpServer> {
  const mails: Received[] = []
  const commands: string[] = []
  const answers: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    talk(socket, { mails, commands, answers })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    commands,
    answers,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

function talk(socket: Socket, { mails, commands, answers }: Pick<SmtpServer, 'mails' | 'commands' | 'answers'>): void {
  let [pending, from, source] = ['', '', null as string | null]
  let to: string[] = []
  const say = (line: string): void => void socket.write(`${line}\r\n`)

  function takeCommand(line: string): void {
    commands.push(line)
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO') return say('250-test\r\n250 8BITMIME')
    if (verb === 'MAIL') [from, to] = [readPath(line), []]
    if (verb === 'RCPT') {
      const answer = answers.shift() ?? '250 ok'
      if (answer.startsWith('2')) to.push(readPath(line))
      return answer === 'hang' ? undefined : say(answer)
    }
    if (verb === 'DATA') {
      source = ''
      return say('354 go on')
    }
    if (verb === 'QUIT') return void socket.end('221 bye\r\n')
    say('250 ok')
  }

  function takeLine(line: string): void {
    if (source === null) return takeCommand(line)
    if (line !== '.') {
      source += `${line.replace(/^\.\./, '.')}\n`
      return
    }
    mails.push({ from, to, source, text: readText(source) })
    source = null
    say('250 taken')
  }

  say('220 test')
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const lines = (pending + chunk).split('\r\n')
    pending = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
  })
}

const readPath = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? ''

/** Returns the decoded body of a mail in quoted-printable or plain encoding. */
function readText(source: string): string {
  const [head = '', ...body] = source.split('\n\n')
  const text = body.join('\n\n')
  if (!/quoted-printable/i.test(head)) return text
  return text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
