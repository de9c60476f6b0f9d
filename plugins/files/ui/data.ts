import { useQuery } from '@tanstack/react-query'
import { api } from '../../ui/browser/contract.ts'

export interface FileInfo {
  name: string
  mimeType: string
  bytes: number
  width?: number
  height?: number
}

const ADDRESS = /^\/v1\/files\/([\da-f-]{36})\/[^/?#]+$/

/** `/v1/files/<id>/<name>` */
export const isFile = (address: string): boolean => ADDRESS.test(address)

/** A file without its content. It never changes; its readers do. */
export function useFile(address: string) {
  const id = ADDRESS.exec(address)?.[1]
  return useQuery({
    queryKey: ['file', id],
    queryFn: ({ signal }) => api<FileInfo>(`/v1/files/${id}`, { signal }),
    staleTime: Infinity
  })
}
