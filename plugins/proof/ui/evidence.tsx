import { useQuery } from '@tanstack/react-query'
import { contextQuery, type Issue } from '../../issues/ui/contract.ts'
import { MarkdownView, Time } from '../../ui/browser/contract.ts'
import styles from './proof.module.css'

export function Evidence({ issue }: { issue: Issue }) {
  const { data: context } = useQuery(contextQuery(issue.key))
  const items = context?.definitionOfDone.items ?? []
  if (items.length === 0) return null
  return (
    <section className={styles['evidence']} aria-label="Evidence">
      <h2>Evidence</h2>
      <ul>
        {items.map(({ n, text, by, at, evidence }) => (
          <li key={n}>
            <span>
              {text} · {by} <Time at={at} />
            </span>
            {evidence !== null && <MarkdownView text={evidence} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
