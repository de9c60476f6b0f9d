import { useQueries } from '@tanstack/react-query'
import { contributions, ErrorNote, Skeleton } from '../../../../ui/browser/contract.ts'
import { timelineSources, type Issue } from '../../contract.ts'
import styles from './timeline.module.css'

/** The timeline of an issue: the entries of all plugins. */
export function Timeline({ issue }: { issue: Issue }) {
  const sources = contributions(timelineSources)
  const results = useQueries({
    queries: sources.map(({ query, entries }) => ({ ...query(issue), select: entries }))
  })
  const entries = results
    .flatMap(({ data = [] }, at) => data.map(entry => ({ entry, Entry: sources[at]!.Entry })))
    .sort((a, b) => a.entry.at.localeCompare(b.entry.at))
  const error = results.find(result => result.error)?.error
  return (
    <section className={styles['timeline']} aria-label="Activity">
      <h2>Activity</h2>
      {error && <ErrorNote error={error} />}
      {results.some(({ isPending }) => isPending) && <Skeleton />}
      <ol>
        {entries.map(({ entry, Entry }) => (
          <li key={entry.id}>
            <Entry issue={issue} entry={entry} />
          </li>
        ))}
      </ol>
      {sources.map(({ name, Footer }) => Footer && <Footer key={name} issue={issue} />)}
    </section>
  )
}
