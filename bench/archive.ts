import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** An issue of a tracker's archive: JSON Lines, plain or gzipped. */
export interface Archived {
  id: string
  title: string
  description?: string | null
  created_at: string
  status: string
  resolution?: string | null
  type?: string | null
  component?: string[]
  comments?: Array<{ created_at: string; body: string }>
}

/** The lines of a file that are not empty. */
export function linesOf(file: string): string[] {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text.split('\n').filter(line => line.trim() !== '')
}

export const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
export const titleOf = ({ title }: Archived): string => oneLine(title).slice(0, 1000) || '(untitled)'
export const labelsOf = ({ type, component = [] }: Archived): string[] =>
  [...new Set([type ?? '', ...component].map(oneLine).filter(Boolean))].map(name => name.slice(0, 100))
