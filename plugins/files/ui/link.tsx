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
        <small>
          {typeOf(file.name)} {formatBytes(file.bytes)}
        </small>
      )}
    </a>
  )
}

/** `PDF`, from the end of the name. */
function typeOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 && name.length - dot <= 8 ? name.slice(dot + 1).toUpperCase() : ''
}
