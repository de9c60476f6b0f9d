import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Link } from 'wouter'
import {
  api,
  Button,
  Dialog,
  Empty,
  ErrorNote,
  Field,
  formatBytes,
  Lead,
  Line,
  Lines,
  LineText,
  prefix,
  Select,
  Skeleton,
  Time,
  useRequest,
  useSession
} from '../../ui/browser/contract.ts'
import styles from './files.module.css'

interface ListedFile {
  id: string
  name: string
  mimeType: string
  bytes: number
  url: string
  createdAt: string
  createdBy: { fullname: string }
  subject?: { type: string; id: string; key?: string; title?: string }
}
const ORDERS = { created: 'Newest first', bytes: 'Largest first' }
interface Page {
  files: ListedFile[]
  usage: { bytes: number; maxBytes: number }
  nextCursor: string | null
}

export default function Files() {
  const isAdmin = useSession()?.account?.role === 'ADMIN'
  return isAdmin ? <AllFiles /> : <Lead>Only administrators see all files.</Lead>
}

function AllFiles() {
  const [order, setOrder] = useState<string>('created')
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['files', order],
    queryFn: ({ pageParam, signal }) =>
      api<Page>(`/v1/files?order=${order}${pageParam && `&cursor=${pageParam}`}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: Page) => nextCursor
  })
  const [removed, setRemoved] = useState<ListedFile>()
  if (error && !data) return <ErrorNote error={error} />
  const files = data?.pages.flatMap(({ files }) => files) ?? []
  return (
    <>
      {data && <Usage {...data.pages.at(-1)!.usage} />}
      <div className={styles['order']}>
        <Select label="Order" names={ORDERS} value={order} onChange={setOrder} />
      </div>
      {!data && <Skeleton />}
      {data && files.length === 0 && (
        <Empty title="No files">Files of issues, projects and knowledge will be here.</Empty>
      )}
      <Lines label="Files">
        {files.map(file => (
          <FileLine key={file.id} file={file} onRemove={() => setRemoved(file)} />
        ))}
      </Lines>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          More
        </Button>
      )}
      {error && <ErrorNote error={error} />}
      {removed && <Removal file={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

const Usage = ({ bytes, maxBytes }: Page['usage']) => (
  <Lead>
    <label className={styles['usage']}>
      Files take {formatBytes(bytes)} of {formatBytes(maxBytes)}.
      <meter value={bytes} max={maxBytes} high={maxBytes * 0.9} />
    </label>
  </Lead>
)

function FileLine({ file, onRemove }: { file: ListedFile; onRemove: () => void }) {
  const { name, mimeType, bytes, url, createdAt, createdBy, subject } = file
  return (
    <Line>
      <LineText
        title={
          <a className={styles['name']} href={prefix + url} target="_blank" rel="noreferrer">
            {name}
          </a>
        }
      >
        {formatBytes(bytes)}, {mimeType}, by {createdBy.fullname} <Time at={createdAt} />, <Place subject={subject} />
      </LineText>
      <Button kind="danger" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </Line>
  )
}

const KIND_NAMES: Record<string, string> = {
  issue: 'an issue',
  project: 'a project',
  knowledge: 'an entry of knowledge',
  issue_template: 'a template for issues',
  account: 'an account'
}

function Place({ subject }: { subject: ListedFile['subject'] }) {
  if (!subject) return 'in no text yet'
  const { type, id, key, title } = subject
  if (title === undefined) return `of ${KIND_NAMES[type] ?? type} that is removed`
  if (type === 'issue') return <Link href={`/issue/${key}`}>{`${key} ${title}`}</Link>
  if (type === 'knowledge') return <Link href={`/knowledge/${id}`}>{title}</Link>
  return title
}

function Removal({ file, onClose }: { file: ListedFile; onClose: () => void }) {
  const { mutate, error, isPending } = useRequest('files', 'file')
  const [reason, setReason] = useState('')
  function remove(event: FormEvent): void {
    event.preventDefault()
    const path = `/v1/files/${file.id}?reason=${encodeURIComponent(reason)}`
    mutate({ path, method: 'DELETE' }, { onSuccess: onClose })
  }
  return (
    <Dialog title={`Remove ${file.name}`} isOpen onClose={onClose}>
      <form className={styles['removal']} onSubmit={remove}>
        <p>It cannot be restored. Texts that name it keep its address.</p>
        <Field label="Why">
          {id => (
            <input id={id} required maxLength={500} value={reason} onChange={event => setReason(event.target.value)} />
          )}
        </Field>
        <Button kind="danger" type="submit" disabled={isPending}>
          Remove
        </Button>
        {error && <ErrorNote error={error} />}
      </form>
    </Dialog>
  )
}
