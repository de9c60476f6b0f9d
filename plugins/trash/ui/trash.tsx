import { useInfiniteQuery } from '@tanstack/react-query'
import {
  api,
  Button,
  ConfirmButton,
  Empty,
  ErrorNote,
  Lead,
  Line,
  Lines,
  LineText,
  Skeleton,
  Time,
  useRequest,
  useSession
} from '../../ui/browser/contract.ts'

interface Item {
  /** As in the path of its routes: `issues`. */
  kind: string
  kindTitle: string
  id: string
  key?: string
  title: string
  deletedAt: string
  deletedBy?: { fullname: string }
  keptUntil: string
}
interface Page {
  items: Item[]
  keepDays: number
  nextCursor: string | null
}

export default function Trash() {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['trash'],
    queryFn: ({ pageParam, signal }) => api<Page>(`/v1/trash${pageParam && `?cursor=${pageParam}`}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: Page) => nextCursor
  })
  if (error && !data) return <ErrorNote error={error} />
  if (!data) return <Skeleton />
  const items = data.pages.flatMap(({ items }) => items)
  return (
    <>
      <Lead>What was removed is kept for {data.pages[0]!.keepDays} days, and removed for good then.</Lead>
      {items.length === 0 && <Empty title="The trash is empty">What is removed will be here.</Empty>}
      <Lines label="Trash">
        {items.map(item => (
          <TrashLine key={item.id} item={item} />
        ))}
      </Lines>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          More
        </Button>
      )}
      {error && <ErrorNote error={error} />}
    </>
  )
}

function TrashLine({ item }: { item: Item }) {
  const { kind, kindTitle, id, key, title, deletedAt, deletedBy, keptUntil } = item
  const isAdmin = useSession()?.account?.role === 'ADMIN'
  // Many pages may show what is restored.
  const { mutate, error, isPending } = useRequest()
  const path = `/v1/${kind}/${id}`
  const shown = key === undefined ? title : `${key} ${title}`
  const name = `${kindTitle} ${shown}`
  return (
    <Line error={error}>
      <LineText title={shown}>
        {kindTitle}, removed <Time at={deletedAt} />
        {deletedBy && ` by ${deletedBy.fullname}`}, kept until {new Date(keptUntil).toLocaleDateString()}
      </LineText>
      <Button
        aria-label={`Restore ${name}`}
        disabled={isPending}
        onClick={() => mutate({ path: `${path}/restore`, method: 'POST' })}
      >
        Restore
      </Button>
      {isAdmin && (
        <ConfirmButton
          label={`Remove for good: ${name}`}
          word="Remove for good"
          warning="Its texts and files cannot be restored."
          onConfirm={() => mutate({ path: `${path}?permanently=true`, method: 'DELETE' })}
        />
      )}
    </Line>
  )
}
