// The page that reset links open: a form in a single document, which loads nothing else.
import { createHash } from 'node:crypto'
import type { RawRoute } from '../../web/route.ts'

// The token is in the fragment of the URL, so only this script sees it. The script removes it from the address bar and the history at once.
const script = `
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
history.replaceState(null, '', location.pathname)
// Relative, for a service below a path of its proxy; the page is also served with a slash at its end.
const target = (location.pathname.endsWith('/') ? '../' : '') + 'v1/auth/reset/confirm'
const form = document.querySelector('form')
const note = document.querySelector('output')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const password = form.elements.password.value
  if (password !== form.elements.again.value) {
    note.textContent = 'The two passwords differ.'
    return
  }
  form.elements.send.disabled = true
  note.textContent = ''
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password }),
    })
    if (response.status === 204) {
      form.hidden = true
      note.textContent = 'The password was changed. You can sign in with it now.'
      return
    }
    const { detail } = await response.json()
    note.textContent = typeof detail === 'string' ? detail : detail[0].msg
  } catch {
    note.textContent = 'The service did not answer. Try again.'
  }
  form.elements.send.disabled = false
})
`

// Looks like the sign-in page of the dashboard. It belongs to the service itself, so links work even if the dashboard is switched off.
const style = `
:root { color-scheme: light dark; --bg: light-dark(#f7f7f8, #0a0b0d); --raised: light-dark(#fff, #17191e); --border: light-dark(#e4e4e8, #26282f);
  --strong: light-dark(#8b8b96, #686c79); --text: light-dark(#18181b, #ededf0); --muted: light-dark(#5f5f6b, #a1a3ad);
  --accent: light-dark(#3b5bdb, #8da2fb); --on-accent: light-dark(#fff, #0e0f12) }
* { box-sizing: border-box }
body { margin: 0; padding: clamp(16px, 12vh, 120px) 16px 24px; background: var(--bg); color: var(--text); font: 13px/20px system-ui, sans-serif }
main { max-width: 420px; margin: 0 auto; padding: 24px; border: 1px solid var(--border); border-radius: 8px; background: var(--raised) }
main > p { margin: 0 0 24px; color: var(--muted); font-weight: 600 }
h1 { margin: 0 0 24px; font: 600 20px/28px system-ui, sans-serif }
form { display: grid; gap: 16px }
form[hidden] { display: none }
label { display: grid; gap: 4px; font-size: 12px; font-weight: 500 }
input, button { min-height: 32px; padding: 4px 8px; border: 1px solid var(--strong); border-radius: 6px; font: inherit; color: inherit }
input { background: light-dark(#fff, #0e0f12); font-size: 13px; font-weight: 400 }
button { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 500; cursor: pointer }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
output { display: block; margin-top: 16px }
output:empty { display: none }
`

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Choose a new password - Tracewright</title>
<style>${style}</style>
<main>
<p>Tracewright</p>
<h1>Choose a new password</h1>
<form>
<label>New password, at least 12 characters
<input name="password" type="password" autocomplete="new-password" minlength="12" maxlength="128" required></label>
<label>Repeat the new password
<input name="again" type="password" autocomplete="new-password" required></label>
<button name="send">Change the password</button>
</form>
<output role="status"></output>
<noscript>This page needs JavaScript.</noscript>
</main>
<script>${script}</script>
</html>
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join(';')

export const resetPage: RawRoute = {
  kind: 'raw',
  method: 'GET',
  path: '/reset',
  tag: 'Auth and sessions',
  summary: 'Get the page that reset links open',
  description: 'A form that sends the token of the link and a new password to POST /v1/auth/reset/confirm.',
  auth: 'none',
  operation: {
    responses: { 200: { description: 'The page', content: { 'text/html': { schema: { type: 'string' } } } } },
  },
  handle: async (ctx) => {
    ctx.set('Content-Security-Policy', policy)
    ctx.set('Cache-Control', 'no-store')
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = page
    await Promise.resolve()
  },
}
