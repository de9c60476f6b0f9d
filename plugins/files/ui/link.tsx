import type { ReactNode } from 'react'
import { formatBytes, Icon, prefix } from '../../ui/browser/contract.ts'
import { useFile } from './data.ts'
import styles from './files.module.css'
import { Missing } from './missing.tsx'

export function FileLink({ address, children }: { address: string; children: ReactNode }) {
  const { data: file, error } = useFile(address)
  if (error) return <Missing error={error} name={children} />
  return (
    <a className={styles['link']} href={prefix + address} target="_blank" rel="noreferrer">
      <Icon name="file" />
      <span>{children}</span>
      {file && (
        <small title={file.mimeType}>
          {typeOf(file.mimeType)} {formatBytes(file.bytes)}
        </small>
      )}
    </a>
  )
}

/** Types whose subtypes are not what people call them. */
const TYPE_NAMES: ReadonlyArray<[RegExp, string]> = [
  [/^text\/plain$/, 'TXT'],
  [/\.wordprocessingml\.|\.ms-word|\/msword/, 'Word'],
  [/\.spreadsheetml\.|\.ms-excel/, 'Excel'],
  [/\.presentationml\.|\.ms-powerpoint/, 'PowerPoint'],
  [/\.opendocument\.text/, 'ODT'],
  [/\.opendocument\.spreadsheet/, 'ODS'],
  [/\.opendocument\.presentation/, 'ODP']
]

/** `PDF`, `SVG`, `7Z`, `Word`; empty if the type is unknown. */
function typeOf(mimeType: string): string {
  const known = TYPE_NAMES.find(([types]) => types.test(mimeType))
  if (known) return known[1]
  const [, subtype = ''] = /^[^/]+\/(?:.*\.|x-)?([^.+]+?)(?:-compressed)?(?:\+.*)?$/.exec(mimeType) ?? []
  return subtype === 'octet-stream' ? '' : subtype.toUpperCase()
}
