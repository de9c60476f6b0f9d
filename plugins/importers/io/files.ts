import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { decode, fileLines, NOT_UTF8 } from '../../../lib/util/file-lines.ts'

const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024
const PEEKED_BYTES = 64 * 1024
/** A longer rich text is refused before conversion. */
export const MAX_TEXT_CHARACTERS = 1024 * 1024

export type ReadValue = { where: string; value: unknown } | { where: string; problem: string }
export type ReadText = { where: string; text: string } | ReadValue

/** The first line of an error's message; parsers of YAML add an extract of the text. */
export const firstLine = (error: unknown): string => (error as Error).message.split('\n', 1)[0]!

export const isAddress = (place: string): boolean => /^https?:\/\//i.test(place)

/** @throws Error with advice when there is no file */
export async function statPlace(place: string): Promise<{ isFolder: boolean }> {
  const stats = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${place} cannot be read (${error.code}): name a file or folder that this user may read.`)
  })
  return { isFolder: stats.isDirectory() }
}

/** In subfolders, too; links are not followed. @param except folders that are left out */
export async function* filesIn(
  folder: string,
  extension: RegExp,
  except: readonly string[] = []
): AsyncGenerator<string> {
  if (except.includes(folder)) return
  const entries = await readdir(folder, { withFileTypes: true })
  const names = new Intl.Collator('en', { numeric: true })
  for (const entry of entries.sort((a, b) => names.compare(a.name, b.name))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path, extension, except)
    else if (entry.isFile() && extension.test(entry.name)) yield path
  }
}

/**
 * One value per line or a single document, or of all files in a folder. Lines that are not JSON, not UTF-8 or too long
 * are reported and skipped.
 */
export async function* jsonValues(place: string): AsyncGenerator<ReadValue> {
  for await (const read of jsonTexts(place)) yield 'text' in read ? parse(read.text, read.where) : read
}

/** @param except folders within a folder that are left out */
export async function* jsonTexts(place: string, except: readonly string[] = []): AsyncGenerator<ReadText> {
  if ((await statPlace(place)).isFolder) {
    const others = except.map(folder => join(place, folder))
    for await (const file of filesIn(place, /\.(?:jsonl?|ndjson)$/i, others)) yield* fileTexts(file, `${file}, `)
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

export async function beginningOf(file: string): Promise<string> {
  let start = ''
  for await (const chunk of createReadStream(file, { end: PEEKED_BYTES, encoding: 'utf8' })) start += chunk as string
  return start.replace(/^\uFEFF/, '')
}

async function isOneDocument(file: string): Promise<boolean> {
  const { size } = await stat(file)
  if (size > MAX_DOCUMENT_BYTES) return false
  const text = (await beginningOf(file)).trimStart()
  const beginning = text.split('\n', 1)[0]!.trim()
  return text.startsWith('[') || beginning === '{' || (beginning.endsWith(',') && text.includes('\n'))
}
