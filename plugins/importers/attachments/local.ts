import { createHash } from 'node:crypto'
import { constants, lstatSync, type Stats } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize, sep } from 'node:path'
import type { Attachment, DataRecord } from '../contract.ts'
import { namedIn } from './destinations.ts'

const IS_TEXT = /\.(?:md|markdown|jsonl?|ndjson)$/i
const MAX_NAME_LENGTH = 200

/** Undefined when it leads out of the folder, or to something hidden such as `.git`. */
function within(path: string): string | undefined {
  const inside = normalize(path)
  return isAbsolute(inside) || inside.split(sep).some(part => part.startsWith('.')) ? undefined : inside
}

/** @returns undefined: there is no regular file, or a link leads to it */
export async function openInside(folder: string, path: string) {
  const inside = within(path)
  if (inside === undefined) return undefined
  const root = await realpath(folder)
  const whole = join(root, inside)
  if ((await realpath(whole).catch(() => undefined)) !== whole) return undefined
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants // a pipe would block
  const file = await open(whole, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined)
  const stats = await file?.stat()
  if (file === undefined || stats?.isFile() === true) return file && { file, bytes: stats!.size }
  await file.close()
  return undefined
}

export const findInside = (folder: string, paths: readonly string[]): { path: string; bytes: number } | undefined =>
  paths
    .flatMap(path => within(path) ?? [])
    .map(path => ({ path, stats: statsOf(join(folder, path)) }))
    .filter(({ stats }) => stats?.isFile() === true)
    .map(({ path, stats }) => ({ path, bytes: stats!.size }))[0]

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // Such as a name that is too long for the disk.
    return undefined
  }
}

/** By relative paths. @param from the folder of the text, within `folder` */
async function filesNamedIn(markdown: string, folder: string, from: string): Promise<Attachment[]> {
  const named: Attachment[] = []
  for (const url of namedIn(markdown)) {
    const written = pathIn(url)
    if (written === undefined || IS_TEXT.test(written)) continue
    // Backlog.md shows images by paths from its root, too.
    for (const path of new Set([join(from, written), written])) {
      const file = await identify(folder, path)
      if (file === undefined) continue
      named.push({ ...file, url, name: path.split(/[/\\]/).at(-1)! })
      break
    }
  }
  return named
}

function pathIn(url: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|#|\?|$)/i.test(url)) return undefined
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0]!)
    return path.includes('\0') ? undefined : path
  } catch {
    return undefined
  }
}

/** Its name in the source changes with its content: a picture that was edited is another file. */
async function identify(
  folder: string,
  path: string
): Promise<Pick<Attachment, 'externalId' | 'path' | 'bytes'> | undefined> {
  const opened = await openInside(folder, path)
  if (opened === undefined) return undefined
  const inside = normalize(path)
  const digest = createHash('sha256')
  for await (const chunk of opened.file.createReadStream()) digest.update(chunk as Buffer)
  const version = digest.digest('hex')
  const externalId = nameOf(`${inside} ${version.slice(0, 16)}`)
  return { externalId, path: inside, bytes: opened.bytes }
}

/** A length that the import format takes. */
export const nameOf = (name: string): string =>
  name.length <= MAX_NAME_LENGTH ? name : createHash('sha256').update(name).digest('hex')

/** With the files in the folder of the board that its text names. @param file the text's */
export async function withFilesBeside(record: DataRecord, folder: string, file: string): Promise<DataRecord> {
  const text = record[record.kind === 'issue' ? 'descriptionMarkdown' : 'bodyMarkdown']
  if (!['issue', 'comment'].includes(record.kind) || typeof text !== 'string') return record
  const attachments = await filesNamedIn(text, folder, dirname(file))
  return attachments.length === 0 ? record : { ...record, attachments }
}
