// Reads images and other media inside messages: their address, or their size without the bytes.
import type { MessagePart } from '../../event/event.ts'
import { isObject, type JsonObject, textOf } from '../json.ts'

const maxUrlChars = 2_048

function firstTextOf(object: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textOf(object[key])
    if (text !== null) return text
  }
  return null
}

const mimeKeys = ['mime_type', 'media_type', 'mimeType', 'mediaType', 'contentType']
const urlKeys = ['url', 'uri', 'file_uri', 'fileUri', 'image_url']
const dataKeys = ['data', 'bytes', 'content', 'base64']

/** Members that hold an object with the address or the data, in any dialect. */
const holders = [
  'source',
  'image_url',
  'image',
  'inline_data',
  'inlineData',
  'file_data',
  'fileData',
  'input_audio',
  'file',
  'media',
]

const base64Bytes = (text: string) =>
  Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

function blob(mimeType: string | null, data: string | null): MessagePart {
  return {
    type: 'blob',
    ...(mimeType === null ? {} : { mime_type: mimeType }),
    ...(data === null ? {} : { bytes: base64Bytes(data) }),
  }
}

/** Returns the media part in an object of any dialect's form; null where it has neither an address nor data. */
export function readMedia(given: JsonObject, depth = 0): MessagePart | null {
  const format = textOf(given['format'])
  const mimeType = firstTextOf(given, mimeKeys) ?? (format === null ? null : `image/${format}`)
  const url = firstTextOf(given, urlKeys)
  if (url?.startsWith('data:')) {
    const comma = url.indexOf(',')
    const mime = url.slice('data:'.length, comma).split(';', 1)[0] ?? ''
    return blob(mime === '' ? mimeType : mime, url.slice(comma + 1))
  }
  if (url !== null) {
    return { type: 'image', url: url.slice(0, maxUrlChars), ...(mimeType === null ? {} : { mime_type: mimeType }) }
  }
  const data = firstTextOf(given, dataKeys)
  if (data !== null) return blob(mimeType, data)
  if (depth === 3) return null
  for (const key of holders) {
    const inner = given[key]
    if (typeof inner === 'string' && inner !== '')
      return readMedia({ data: inner, mime_type: mimeType, ...asUrl(inner) })
    const found = isObject(inner) ? readMedia({ mime_type: mimeType, format, ...inner }, depth + 1) : null
    if (found !== null) return found
  }
  return null
}

const asUrl = (text: string): JsonObject => (/^(?:data:|https?:)/.test(text) ? { url: text } : {})
