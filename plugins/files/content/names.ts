import { forceLine } from '../../../core/api/text.ts'

/** Maximum UTF-16 units of a name. */
const MAX_NAME_LENGTH = 200
/** Maximum UTF-16 units of an extension that is kept when a name is cut, its dot included. */
const MAX_EXTENSION_LENGTH = 20
/** Characters at the end of a client's name that are read. */
const MAX_READ_LENGTH = 4096

/**
 * The name under which a file is stored: without folders, on one line, without invisible characters and marks that
 * change the direction of text.
 */
export function storedName(name: string): string {
  const base = name.slice(-MAX_READ_LENGTH).split(/[/\\]/).at(-1)!
  const line = shorten(forceLine(base))
  return /^\.*$/.test(line) ? 'file' : line
}

function shorten(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH ? name.slice(dot) : ''
  const stem = name.slice(0, MAX_NAME_LENGTH - extension.length)
  // The cut may halve a character.
  return forceLine(stem.replace(/[\uD800-\uDBFF]$/, '')) + extension
}

/** The name as a part of an address that markdown takes as it is. */
export const urlNameOf = (name: string): string =>
  encodeURIComponent(name).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
