import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useSearch } from 'wouter'
import { StateIcon } from '../../issues/ui/contract.ts'
import { Empty, ErrorNote, go, Line, Lines, LineText, PageFrame, Skeleton, Time } from '../../ui/browser/contract.ts'
import { excerptOf, findHits, pageOfSearch } from './data.ts'
import styles from './search.module.css'

const MAX_HITS = 100

export default function SearchPage() {
  const query = new URLSearchParams(useSearch()).get('query') ?? ''
  const { data: hits, error } = useQuery({
    queryKey: ['search', query],
    queryFn: ({ signal }) => findHits(query, MAX_HITS, signal),
    enabled: query.trim() !== ''
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    go(pageOfSearch(String(new FormData(event.currentTarget).get('query'))))
  }
  return (
    <PageFrame
      title={query === '' ? 'Search' : `Search: ${query}`}
      heading={<h1>Search</h1>}
      tools={
        <form role="search" onSubmit={submit}>
          <input
            key={query}
            type="search"
            name="query"
            aria-label="Search issues"
            placeholder='Words, a key, or "a phrase"'
            autoComplete="off"
            data-search
            className={styles['field']}
            defaultValue={query}
          />
        </form>
      }
    >
      <div className={styles['page']}>
        {error && <ErrorNote error={error} />}
        {hits === undefined && query.trim() !== '' && !error && <Skeleton lines={8} />}
        {hits?.length === 0 && <Empty title="No results">Other words, or fewer of them, may find it.</Empty>}
        <Lines label="Search results">
          {hits?.map(({ id, key, title, stateCategory, descriptionMarkdown, resolutionSnippet, updatedAt }) => (
            <Line key={id}>
              <StateIcon category={stateCategory} />
              <LineText title={<Link href={`/issue/${key}`}>{`${key} ${title}`}</Link>}>
                {excerptOf(resolutionSnippet ?? descriptionMarkdown)}
              </LineText>
              <Time at={updatedAt} />
            </Line>
          ))}
        </Lines>
      </div>
    </PageFrame>
  )
}
