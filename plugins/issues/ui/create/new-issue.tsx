import { Button, Icon, Kbd } from '../../../ui/browser/contract.ts'
import { openCreate } from './open.ts'
import styles from './new-issue.module.css'

export const NewIssueButton = () => (
  <Button onClick={() => openCreate()} aria-label="New issue">
    <Icon name="plus" />
    <span className={styles['newText']}>
      New issue <Kbd keys="c" />
    </span>
  </Button>
)
