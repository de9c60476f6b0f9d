import { Link } from 'wouter'
import { go, Icon, useCommands, type PageSubject } from '../../ui/browser/contract.ts'
import styles from './subject-action.module.css'

export const InsightsOfSubject = ({ subject }: { subject: PageSubject }) =>
  subject.type === 'project' ? <InsightsOfProject {...subject} /> : null

function InsightsOfProject({ id, name }: PageSubject) {
  const href = `/insights?project=${id}`
  useCommands([{ id: 'project-insights', title: 'Show insights', section: 'Project', run: () => go(href) }])
  return (
    <Link href={href} className={styles['link']!} aria-label={`Insights of ${name}`} title="Insights">
      <Icon name="chart" />
    </Link>
  )
}
