// Detects base64 data in a trace, which is described as "PNG, 312 KB" and never printed.

export type Binary = {
  /** The common name of the format, such as PNG. */
  readonly format: string
  readonly bytes: number
  /** A data URL for an image element; null if the data is not a safe image. */
  readonly imageUrl: string | null
}

const formats: readonly (readonly [start: string, format: string, mime: string])[] = [
  ['iVBORw0KGgo', 'PNG', 'image/png'],
  ['/9j/', 'JPEG', 'image/jpeg'],
  ['R0lGOD', 'GIF', 'image/gif'],
  ['UklGR', 'WebP', 'image/webp'],
  ['JVBERi', 'PDF', 'application/pdf'],
  ['UEsDB', 'ZIP', 'application/zip'],
  ['H4sI', 'gzip', 'application/gzip'],
  ['SUQz', 'MP3', 'audio/mpeg'],
  ['T2dnU', 'Ogg', 'audio/ogg'],
]

// Formats that contain no script, unlike SVG.
const safeImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,/i
const minLength = 200
/** Only this much of a text is checked: a check of megabytes would block the page. */
const checkedCharacters = 4_096
const alphabet = /^[A-Za-z0-9+/\r\n]+={0,2}\s*$/
const urlAlphabet = /^[A-Za-z0-9_-]+={0,2}\s*$/

/** Returns a description of a text that is base64 as a whole; null for any other text. */
export function readBase64(text: string): Binary | null {
  const head = dataUrl.exec(text.slice(0, 200))
  if (head !== null) return describe(text.slice(head[0].length), head[1] ?? null)
  if (text.length < minLength) return null
  const start = text.slice(0, checkedCharacters)
  if (!alphabet.test(start) && !urlAlphabet.test(start)) return null
  const isKnown = formats.some(([mark]) => start.startsWith(mark))
  return isKnown || looksRandom(start) ? describe(text, null) : null
}

/** Whether a text has enough capitals, small letters and digits to be base64, unlike a long word or a list of hex digits. */
function looksRandom(text: string): boolean {
  const capitals = text.replaceAll(/[^A-Z]/g, '').length
  const digits = text.replaceAll(/\D/g, '').length
  const small = text.replaceAll(/[^a-z]/g, '').length
  const tenth = text.length / 10
  return capitals > 2 * tenth && small > 2 * tenth && digits > tenth / 2
}

function describe(data: string, mimeType: string | null): Binary {
  const known = formats.find(([mark]) => data.startsWith(mark))
  const mime = mimeType?.toLowerCase() ?? known?.[2] ?? null
  const bytes = countBytes(data)
  const imageUrl = mime !== null && safeImages.has(mime) ? `data:${mime};base64,${data}` : null
  return { format: known?.[1] ?? nameMime(mime), bytes, imageUrl }
}

const countBytes = (data: string): number => {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}

/** Returns the common name of a media type: `SVG` for `image/svg+xml`. */
export function nameMime(mime: string | null): string {
  const name = mime?.split('/')[1]?.split(/[+;]/)[0]
  return name === undefined || name === '' ? 'binary data' : name.replace(/^x-/, '').toUpperCase()
}

/** Returns a size such as `312 KB`. A KB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const [size, unit] = bytes < 999_500 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB']
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${unit}`
}
