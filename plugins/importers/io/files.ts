import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { decode, fileLines, NOT_UTF8 } from '../../../lib/util/file-lines.ts'

/** Maximum bytes of one document. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024
const PEEKED_BYTES = 64 * 1024
/** Characters of a rich text: the longest that is stored. A longer one is refused before it is converted. */
export const MAX_TEXT_CHARACTERS = 1024 * 1024

/** A value and where it was read, or why it could not be read. */
export type ReadValue = { where: string; value: unknown } | { where: string; problem: string }
/** The same, or a line that is not parsed yet. */
export type ReadText = { where: string; text: string } | ReadValue

export const isAddress = (place: string): boolean => /^https?:\/\//i.test(place)

/** @throws Error with what to do when there is no file to read */
export async function statPlace(place: string): Promise<{ isFolder: boolean }> {
  const stats = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${place} cannot be read (${error.code}): name a file or folder that this user may read.`)
  })
  return { isFolder: stats.isDirectory() }
}

/** The files of a folder and the folders in it, by their names; links are not followed. */
export async function* filesIn(folder: string, extension: RegExp): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = new Intl.Collator('en', { numeric: true })
  for (const entry of entries.sort((a, b) => names.compare(a.name, b.name))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path, extension)
    else if (entry.isFile() && extension.test(entry.name)) yield path
  }
}

/**
 * The JSON values of a file, each a line, or of a file that is one document; of a folder, those of all its files.
 * Lines that are not JSON, not UTF-8 or too long are reported, and the others are read.
 */
export async function* jsonValues(place: string): AsyncGenerator<ReadValue> {
  for await (const read of jsonTexts(place)) yield 'text' in read ? parse(read.text, read.where) : read
}

/** As `jsonValues`, but lines are not parsed. */
export async function* jsonTexts(place: string): AsyncGenerator<ReadText> {
  if ((await statPlace(place)).isFolder) {
    for await (const file of filesIn(place, /\.(?:jsonl?|ndjson)$/i)) yield* fileTexts(file, `${file}, `)
  } else yield* fileTexts(place, '')
}

async function* fileTexts(file: string, prefix: string): AsyncGenerator<ReadText> {
  if (await isOneDocument(file)) {
    const text = decode(await readFile(file))
    yield text === undefined ? { where: file, problem: NOT_UTF8 } : parse(text, file)
    return
  }
  for await (const { number, ...line } of fileLines(createReadStream(file))) {
    const where = `${prefix}line ${number}`
    if ('problem' in line || line.text.trim() !== '') yield { where, ...line }
  }
}

export function parse(text: string, where: string): ReadValue {
  try {
    return { where, value: JSON.parse(text) as unknown }
  } catch {
    return { where, problem: 'it is no JSON, or cut off' }
  }
}

/** Whether a file is one JSON document over several lines, or a list. */
async function isOneDocument(file: string): Promise<boolean> {
  const { size } = await stat(file)
  if (size > MAX_DOCUMENT_BYTES) return false
  let start = ''
  for await (const chunk of createReadStream(file, { end: PEEKED_BYTES, encoding: 'utf8' })) start += chunk as string
  const text = start.replace(/^\uFEFF/, '').trimStart()
  const firstLine = text.split('\n', 1)[0]!.trim()
  return text.startsWith('[') || firstLine === '{' || (firstLine.endsWith(',') && text.includes('\n'))
}
