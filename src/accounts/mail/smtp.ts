// Sending one mail by SMTP. Every step has a deadline.
import type { Transporter } from 'nodemailer'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

export type SendMail = {
  /** Throws where the server cannot be reached or does not take the mail. */
  readonly send: (mail: Mail, signal: AbortSignal) => Promise<void>
}

export type SmtpOptions = {
  /** smtp:// (STARTTLS where the server offers it; with `?requireTLS=true` only so) or smtps://, with user and password in it. */
  readonly url: string
  /** An address, or `Name <address>`. */
  readonly from: string
}

const stepTimeoutMs = 10_000
const totalTimeoutMs = 30_000

/** One connection a mail: they are few. */
export function openSmtp(options: SmtpOptions): SendMail {
  const opening = openTransport(options)
  return {
    send: async ({ to, subject, text }, signal) => {
      // As an object, so that nothing in it is read as a second address.
      const mail = { to: { name: '', address: to }, subject, text }
      const transport = await opening
      try {
        await transport.sendMail({ ...mail, signal: AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]) })
      } catch (error) {
        throw new MailFault(error as NodemailerFault)
      }
    },
  }
}

/** Loads nodemailer, which a service without a mail server does not need. */
async function openTransport({ url, from }: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport(
    {
      url,
      connectionTimeout: stepTimeoutMs,
      greetingTimeout: stepTimeoutMs,
      socketTimeout: stepTimeoutMs,
      dnsTimeout: stepTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Programs that answer mail by themselves leave it alone.
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  )
}

type NodemailerFault = { readonly code?: string; readonly responseCode?: number; readonly command?: string }

/** Why a mail did not go out, in codes alone: what servers answer repeats the address, and no log holds one. */
export class MailFault extends Error {
  override readonly name = 'MailFault'
  /** The server has said no (SMTP 5xx): asking again changes nothing. */
  readonly isFinal: boolean

  constructor({ code, responseCode, command }: NodemailerFault) {
    const words = [code ?? 'unknown fault', responseCode ?? 'no answer', command ?? 'before the first command']
    super(`the mail server did not accept a message (${words.join(', ')})`)
    this.isFinal = responseCode !== undefined && responseCode >= 500
  }
}
