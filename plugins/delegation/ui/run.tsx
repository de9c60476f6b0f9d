import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { api, Button, ErrorNote, fold, go, PageFrame, Skeleton, Time } from '../../ui/browser/contract.ts'
import { FOLLOW_MS, isOver, type Output, type Run } from './data.ts'
import styles from './runs.module.css'
import { Status } from './runs.tsx'

/** Pieces of output per request. */
const PAGE = 1000

/** A run: its status, the reason for a failure, and its live output. */
export default function RunPage({ params }: { params: Record<string, string> }) {
  const id = params['id']!
  const client = useQueryClient()
  const { data: run, error } = useQuery({
    queryKey: ['runs', id],
    queryFn: ({ signal }) => api<Run>(`/v1/agent_runs/${id}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isOver(data) ? false : FOLLOW_MS)
  })
  const cancel = useMutation({
    mutationFn: () => api(`/v1/agent_runs/${id}/cancel`, { body: {} }),
    onSettled: () => client.invalidateQueries({ queryKey: ['runs'] })
  })
  const retry = useMutation({
    mutationFn: (issueId: string) => api<Run>('/v1/agent_runs', { body: { issueId } }),
    onSuccess: created => go(`/runs/${created.id}`)
  })
  if (!run) return <PageFrame title="Run">{error ? <ErrorNote error={error} /> : <Skeleton />}</PageFrame>
  const problem = cancel.error ?? retry.error
  return (
    <PageFrame
      title={`Run of ${run.issueKey}`}
      heading={
        <h1>
          Run of <Link href={`/issue/${run.issueKey}`}>{run.issueKey}</Link>
        </h1>
      }
      tools={<Status run={run} />}
      actions={
        isOver(run) ? (
          <Button disabled={retry.isPending} onClick={() => retry.mutate(run.issueKey)}>
            Run again
          </Button>
        ) : (
          <Button kind="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )
      }
    >
      <div className={styles['run']}>
        <p className={styles['facts']}>
          Requested by {run.requestedBy.fullname} <Time at={run.createdAt} /> · attempt {run.attempt}
        </p>
        {run.error && (
          <p className={styles['failure']}>
            <strong>{run.error.reason}</strong> {run.error.message}
          </p>
        )}
        {problem && <ErrorNote error={problem} />}
        <OutputOf key={run.id} run={run} />
      </div>
    </PageFrame>
  )
}

/** Its output; the view follows new lines while it is scrolled to the end. */
function OutputOf({ run }: { run: Run }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const end = useRef<HTMLPreElement>(null)
  const isEnded = isOver(run)
  const {
    data: output = [],
    error,
    refetch
  } = useQuery({
    queryKey: ['runs', run.id, 'output'],
    async queryFn({ signal, queryKey }) {
      const all = [...(client.getQueryData<Output[]>(queryKey) ?? [])]
      for (;;) {
        const after = all.at(-1)?.seq ?? 0
        const more = await api<Output[]>(`/v1/agent_runs/${run.id}/events?limit=${PAGE}&after=${after}`, { signal })
        all.push(...more)
        if (more.length < PAGE) return all
      }
    },
    refetchInterval: isEnded ? false : FOLLOW_MS
  })
  // The last output arrives when it ends.
  useEffect(() => {
    if (isEnded) refetch()
  }, [isEnded, refetch])
  useEffect(() => {
    const pre = end.current
    if (pre && pre.scrollHeight - pre.scrollTop - pre.clientHeight < 200) pre.scrollTop = pre.scrollHeight
  }, [output])
  const searchText = fold(text)
  const shown = searchText === '' ? output : output.filter(piece => fold(piece.text).includes(searchText))
  return (
    <section aria-label="Output" className={styles['output']}>
      <header>
        <h2>Output</h2>
        <input
          type="search"
          aria-label="Search the output"
          placeholder="Search…"
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </header>
      {error && <ErrorNote error={error} />}
      <pre ref={end} tabIndex={0}>
        {shown.map(({ seq, type, text }) => (
          <span key={seq} data-type={type}>
            {text.endsWith('\n') ? text : `${text}\n`}
          </span>
        ))}
        {shown.length === 0 && 'No output yet.'}
      </pre>
    </section>
  )
}
