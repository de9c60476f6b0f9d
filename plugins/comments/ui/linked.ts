import { useSyncExternalStore } from 'react'
import { prefix } from '../../ui/browser/contract.ts'

/** The id of a comment's element. */
export const anchorOf = (id: string): string => `comment-${id}`

/** The address of a comment on the page of its issue. */
export const linkTo = (issueKey: string, id: string): string =>
  `${location.origin}${prefix}/issue/${issueKey}#${anchorOf(id)}`

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}
/** The id of the comment to which the address of the page leads. */
export const useLinkedComment = (): string | undefined =>
  useSyncExternalStore(subscribe, () => /^#comment-(.+)$/.exec(location.hash)?.[1])
