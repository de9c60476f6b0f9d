import { useQuery } from '@tanstack/react-query'
import { ErrorNote, PageFrame, Skeleton } from '../../../ui/browser/contract.ts'
import { directoryQuery } from '../data.ts'

/** A page until the names of the workspace have been loaded, or the error of loading them. */
export function LoadingPage({ title, lines = 3 }: { title: string; lines?: number }) {
  const { error } = useQuery(directoryQuery)
  return <PageFrame title={title}>{error ? <ErrorNote error={error} /> : <Skeleton lines={lines} />}</PageFrame>
}
