import { useSyncExternalStore } from 'react'
import { prefix } from '../../ui/browser/contract.ts'

export const anchorOf = (id: string): string => `comment-${id}`

export const linkTo = (issueKey: string, id: string): string =>
  `${location.origin}${prefix}/issue/${issueKey}#${anchorOf(id)}`

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}
export const useLinkedComment = (): string | undefined =>
  useSyncExternalStore(subscribe, () => /^#comment-(.+)$/.exec(location.hash)?.[1])
