import { timelineKey, type Issue, type TimelineSource } from '../../issues/ui/contract.ts'
import { api, lazyElement, withFiles } from '../../ui/browser/contract.ts'
import { Composer } from './composer.tsx'
import { pathOf, type Comment, type Thread } from './data.ts'

const loadThread = () => import('./thread.tsx')

export const commentSource = {
  name: 'comments',
  query: issue => ({
    queryKey: timelineKey(issue, 'comments'),
    queryFn: ({ signal }) => withFiles(api<Comment[]>(pathOf(issue), { signal }), { type: 'issue', id: issue.id })
  }),
  entries(all: Comment[]): Thread[] {
    const threads = Map.groupBy(all, ({ parentId }) => parentId)
    return (threads.get(null) ?? []).map(comment => ({
      ...comment,
      at: comment.createdAt,
      replies: threads.get(comment.id) ?? []
    }))
  },
  Entry: ({ issue, entry }: { issue: Issue; entry: Thread }) => lazyElement(loadThread, { issue, thread: entry }),
  Footer: Composer
} satisfies TimelineSource
