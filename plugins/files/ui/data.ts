import { useQuery } from '@tanstack/react-query'
import { api, ApiProblem, type FileSubject, type ImageBox } from '../../ui/browser/contract.ts'
import { isShownAsImage } from '../content/types.ts'

export interface FileInfo {
  id: string
  name: string
  mimeType: string
  bytes: number
  url: string
  width?: number
  height?: number
}

const ADDRESS = /^\/v1\/files\/([\da-f-]{36})\/[^/?#]+$/
const ADDRESSES = /\/v1\/files\/([\da-f-]{36})\//g
const idIn = (address: string): string => ADDRESS.exec(address)?.[1] ?? ''

/** `/v1/files/<id>/<name>` */
export const isFile = (address: string): boolean => ADDRESS.test(address)

/** Files by id. A file never changes, but its readers do. Editors need it at once, without a query. */
const known = new Map<string, FileInfo>()
export function remember(file: FileInfo): FileInfo {
  known.set(file.id, file)
  return file
}

async function read(id: string, signal?: AbortSignal): Promise<FileInfo> {
  try {
    return remember(await api<FileInfo>(`/v1/files/${id}`, signal && { signal }))
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) known.delete(id)
    throw error
  }
}

export function useFile(address: string) {
  const id = idIn(address)
  return useQuery({
    queryKey: ['file', id],
    queryFn: ({ signal }) => read(id, signal),
    initialData: () => known.get(id),
    staleTime: Infinity,
    // As long as `known`: the query remembers that an event has invalidated it.
    gcTime: Infinity
  })
}

const MAX_LISTED = 500
async function readFilesOf(issueId: string): Promise<void> {
  const files = await api<FileInfo[]>(`/v1/issues/${issueId}/files?limit=${MAX_LISTED}`)
  for (const file of files) remember(file)
}

/** Requests for files, by id, before their texts are displayed. A missing file is not requested again. */
const requests = new Map<string, Promise<unknown>>()

/** Several of an issue with one request. */
export function prepare(text: string, subject: FileSubject | undefined): Promise<unknown> {
  const ids = [...new Set([...text.matchAll(ADDRESSES)].map(([, id]) => id!))].filter(id => !known.has(id))
  const missing = ids.filter(id => !requests.has(id))
  // The component of the file displays the error.
  const ignore = () => undefined
  const all = missing.length > 1 && subject?.type === 'issue' ? readFilesOf(subject.id).catch(ignore) : undefined
  const begin = async (id: string) => {
    await all
    // The file may belong to another issue, such as a template, a duplicate or the parent.
    if (!known.has(id)) await read(id).catch(ignore)
  }
  for (const id of missing) requests.set(id, begin(id))
  return Promise.all(ids.map(id => requests.get(id)))
}

/** Pixels. */
const MAX_HEIGHT = 480

export function boxOf(address: string): ImageBox | undefined {
  const file = known.get(idIn(address))
  if (!file) return {}
  const { mimeType, width, height } = file
  if (!isShownAsImage(mimeType)) return undefined
  if (!width || !height) return {}
  const displayed = Math.min(width, Math.round((MAX_HEIGHT * width) / height))
  return { width: `${displayed}px`, aspectRatio: `${width} / ${height}` }
}

export const PICTURES_KEY = 'pictures'
/** Milliseconds for which the list is used; events tell changes. */
const PICTURES_STALE_MS = 300_000
interface Picture {
  accountId: string
  url: string
}
const NO_PICTURES: ReadonlyMap<string, string> = new Map()

const byAccount = (pictures: Picture[]): ReadonlyMap<string, string> =>
  new Map(pictures.map(({ accountId, url }) => [accountId, url]))

export const usePictures = (): ReadonlyMap<string, string> =>
  useQuery({
    queryKey: [PICTURES_KEY],
    queryFn: ({ signal }) => api<Picture[]>('/v1/users/pictures', { signal }),
    select: byAccount,
    staleTime: PICTURES_STALE_MS
  }).data ?? NO_PICTURES
