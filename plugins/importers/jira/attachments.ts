import { join } from 'node:path'
import { findInside, nameOf } from '../attachments/local.ts'
import type { Attachment, SourceInput } from '../contract.ts'
import { compact, objectOf, objectsOf, textOf, timeOf, type JsonObject } from '../values/values.ts'
import { accountOf } from './people.ts'

const MAX_URL_LENGTH = 2048
/** In an export that was made by hand, in a mirror, in a backup. */
export const ATTACHMENT_FOLDERS = ['attachments', join('secure', 'attachment'), join('data', 'attachments')]
const ISSUES_IN_FOLDER = 10_000

/** Without `url`: neither an address nor a file in the folder of the export is known. */
export function attachmentsOf(
  issue: JsonObject,
  fields: JsonObject,
  { map, place }: SourceInput,
  folder: string | undefined
): Attachment[] {
  const base = map.url ?? (/^https?:\/\//.test(place) ? place : textOf(issue['self']))
  const root = base?.replace(/\/rest\/.*$/, '').replace(/\/?$/, '/')
  const key = textOf(issue['key']) ?? ''
  return objectsOf(fields['attachment']).flatMap(attachment => {
    const [id, name] = [textOf(attachment['id']), textOf(attachment['filename'])]
    if (name === undefined) return []
    const built = root && id && `${root}secure/attachment/${id}/${encodeURIComponent(name.toWellFormed())}`
    const file = folder === undefined ? undefined : findInside(folder, pathsOf(key, id, name))
    const url = textOf(attachment['content']) ?? (built || file?.path)
    const size = Number(attachment['size'])
    return compact({
      externalId: nameOf(id ?? `${textOf(issue['id'])} ${name}`),
      name,
      url: url !== undefined && url.length <= MAX_URL_LENGTH ? url : undefined,
      path: file?.path,
      bytes: file?.bytes ?? (Number.isSafeInteger(size) && size > 0 ? size : undefined),
      createdBy: accountOf(objectOf(attachment['author']))?.externalId,
      createdAt: timeOf(attachment['created'])
    })
  })
}

function pathsOf(key: string, id: string | undefined, name: string): string[] {
  const [, project, number] = /^(.+)-(\d+)$/.exec(key) ?? []
  const part = (path: string | undefined) => path !== undefined && path !== '' && !/[/\\\0]/.test(path)
  const [manual, mirror, backup] = ATTACHMENT_FOLDERS as [string, string, string]
  const group = String(Math.ceil(Number(number) / ISSUES_IN_FOLDER) * ISSUES_IN_FOLDER)
  return [
    [manual, key, name],
    [manual, id, name],
    [mirror, id, name],
    [manual, id],
    [backup, project, group, key, id],
    [manual, project, group, key, id]
  ].flatMap(([folder, ...parts]) => (parts.every(part) ? join(folder!, ...(parts as string[])) : []))
}
