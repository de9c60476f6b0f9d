import { isUtf8 } from 'node:buffer'
import { parse } from 'content-disposition'

const MAX_NAME_LENGTH = 200
const MAX_EXTENSION_LENGTH = 20

const EXTENSIONS: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/svg+xml': '.svg',
  'video/mp4': '.mp4',
  'video/quicktime': '.mov',
  'video/webm': '.webm',
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'text/plain': '.txt'
}

export function nameOfAnswer(headers: Readonly<Record<string, string | undefined>>, address: string): string {
  const sent = nameIn(headers['content-disposition'])
  if (sent !== undefined) return shortened(sent)
  const last = decoded(new URL(address).pathname.split('/').at(-1) ?? '') || 'file'
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return shortened(/\.\w{1,8}$/.test(last) ? last : `${last}${EXTENSIONS[type] ?? ''}`)
}

export function shortened(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH ? name.slice(dot) : ''
  return name.slice(0, MAX_NAME_LENGTH - extension.length).toWellFormed() + extension
}

function nameIn(contentDisposition: string | undefined): string | undefined {
  if (contentDisposition === undefined) return undefined
  try {
    // Most servers send names in UTF-8, which is read as Latin-1.
    const bytes = Buffer.from(contentDisposition, 'latin1')
    return parse(isUtf8(bytes) ? bytes.toString('utf8') : contentDisposition).parameters['filename'] || undefined
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
