// Floor 3. The page that the link of a reset leads to: one form, in one document, with nothing from elsewhere.
import { createHash } from 'node:crypto'
import type { RawRoute } from '../../web/route.ts'

// The token stands behind the #, so only this script sees it; it is taken out of the address bar and of the history at once.
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

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 4rem auto; padding: 0 1rem; color-scheme: light dark }
label, input, button, output { display: block; width: 100%; box-sizing: border-box; margin-top: .5rem; font: inherit }
button { padding: .4rem; margin-top: 1rem }
`

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Choose a new password - Tracewright</title>
<style>${style}</style>
<h1>Choose a new password</h1>
<form>
<label>New password, at least 12 characters
<input name="password" type="password" autocomplete="new-password" minlength="12" maxlength="128" required></label>
<label>The same again
<input name="again" type="password" autocomplete="new-password" required></label>
<button name="send">Change the password</button>
</form>
<output role="status"></output>
<noscript>This page needs JavaScript.</noscript>
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
  summary: 'The page that reset links lead to',
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
