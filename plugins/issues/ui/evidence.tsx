import { useQuery } from '@tanstack/react-query'
import { Time } from '../../ui/browser/contract.ts'
import type { Issue } from './contract.ts'
import { contextQuery } from './data.ts'
import styles from './issue.module.css'

/** What shows that the criteria are met, and who said so. It is markdown, shown as it was written. */
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
            {evidence !== null && <p>{evidence}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
