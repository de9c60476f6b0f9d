import type { ReactNode } from 'react'
import { messageOf } from '../../ui/browser/contract.ts'
import styles from './files.module.css'

export const Missing = ({ error, name }: { error: unknown; name: ReactNode }) => (
  <span className={styles['missing']} title={messageOf(error)}>
    {name || 'File'} (not available)
  </span>
)
