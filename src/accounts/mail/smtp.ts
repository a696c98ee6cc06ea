// Sends a mail by SMTP. Every step has a deadline.
import type { Transporter } from 'nodemailer'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

export type SendMail = {
  /** Throws if the server cannot be reached or does not accept the mail. */
  readonly send: (mail: Mail, signal: AbortSignal) => Promise<void>
}

type SmtpTimeouts = { readonly stepMs: number; readonly totalMs: number }

export type SmtpOptions = {
  /** smtp:// (STARTTLS if the server offers it; always with `?requireTLS=true`) or smtps://, with user and password in the URL. */
  readonly url: string
  /** An address, or `Name <address>`. */
  readonly from: string
  /** How long each step and a mail in all may take, in ms. */
  readonly timeouts?: SmtpTimeouts
}

const defaultTimeouts: SmtpTimeouts = { stepMs: 10_000, totalMs: 30_000 }

/** Opens one connection per mail, since mails are few. */
export function openSmtp(options: SmtpOptions): SendMail {
  const { totalMs } = options.timeouts ?? defaultTimeouts
  const opening = openTransport(options)
  return {
    send: async ({ to, subject, text }, signal) => {
      // An object, so that no part of the address is parsed as a second address.
      const mail = { to: { name: '', address: to }, subject, text }
      const transport = await opening
      try {
        await transport.sendMail({ ...mail, signal: AbortSignal.any([signal, AbortSignal.timeout(totalMs)]) })
      } catch (error) {
        throw new MailFault(error as NodemailerFault)
      }
    },
  }
}

/** Loads nodemailer, which a service without a mail server does not need. */
async function openTransport({ url, from, timeouts = defaultTimeouts }: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport(
    {
      url,
      connectionTimeout: timeouts.stepMs,
      greetingTimeout: timeouts.stepMs,
      socketTimeout: timeouts.stepMs,
      dnsTimeout: timeouts.stepMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // This header keeps auto-responders from answering.
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  )
}

type NodemailerFault = { readonly code?: string; readonly responseCode?: number; readonly command?: string }

/** Why a mail was not sent, only as codes: server answers repeat the address, which must not appear in logs. */
export class MailFault extends Error {
  override readonly name = 'MailFault'
  /** The server has rejected the mail (SMTP 5xx), so a retry is useless. */
  readonly isFinal: boolean

  constructor({ code, responseCode, command }: NodemailerFault) {
    const words = [code ?? 'unknown fault', responseCode ?? 'no answer', command ?? 'before the first command']
    super(`the mail server did not accept a message (${words.join(', ')})`)
    this.isFinal = responseCode !== undefined && responseCode >= 500
  }
}
