import { forceLine } from '../../../core/api/text.ts'

/** UTF-16 units. */
const MAX_NAME_LENGTH = 200
/** UTF-16 units, its dot included, of one that is kept when a name is cut. */
const MAX_EXTENSION_LENGTH = 20
/** From the end of a client's name. */
const MAX_READ_LENGTH = 4096

/** Without folders, on one line, without invisible characters and marks that change the direction of text. */
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

/** As a part of an address that markdown takes as it is. */
export const urlNameOf = (name: string): string =>
  encodeURIComponent(name).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
