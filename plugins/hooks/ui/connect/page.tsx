import { Lead, PageFrame } from '../../../ui/browser/contract.ts'
import Guide from './guide.tsx'
import styles from './connect.module.css'

export default function ConnectPage() {
  return (
    <PageFrame title="Connect a client">
      <div className={styles['page']}>
        <Lead>An agent’s client gets the tools of this tracker, and, where it has hooks, reminders of its tasks.</Lead>
        <Guide />
      </div>
    </PageFrame>
  )
}
