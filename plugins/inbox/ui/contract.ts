import type { ComponentType } from 'react'
import { contract, point } from '../../../core/contract.ts'

// Not that of the server's contract.ts, which brings the schemas of its events along.
const inbox = contract()('inbox')

export type Reason = 'asked' | 'answered' | 'mentioned' | 'assigned' | 'run_failed' | 'claim_lapsed' | 'closed_unmet'
/** What an account is told of. */
export interface Entry {
  id: string
  reason: Reason
  at: string
  readAt: string | null
  actor: { id: string; fullname: string } | null
  subject: { type: string; id: string }
  issue: { id: string; key: string; title: string }
}

/** What a plugin shows below unread entries of a reason, such as the question with a field for the answer. */
export interface EntryView {
  reason: Reason
  component: ComponentType<{ entry: Entry }>
}
export const entryViews = point<EntryView>()(inbox, 'entryViews')
