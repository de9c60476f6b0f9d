import type { ReactNode } from 'react'
import { formatBytes, Icon, prefix } from '../../ui/browser/contract.ts'
import { useFile } from './data.ts'
import styles from './files.module.css'
import { Missing } from './missing.tsx'

/** A file that a text links to, with its type and size. */
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

/** What its content is: `PDF`, `SVG`, `SHEET`; nothing if that is not known. */
function typeOf(mimeType: string): string {
  if (mimeType === 'text/plain') return 'TXT'
  const [, subtype = ''] = /^[^/]+\/(?:.*\.|x-)?([^.+]+)(?:\+.*)?$/.exec(mimeType) ?? []
  return subtype === 'octet-stream' ? '' : subtype.toUpperCase()
}
