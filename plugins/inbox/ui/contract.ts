import type { ComponentType } from 'react'
import { contract, point } from '../../../core/api/contract.ts'

// Not from the server's contract.ts, which would bundle the schemas of its events.
const inbox = contract()('inbox')

export type Reason =
  'asked' | 'answered' | 'mentioned' | 'assigned' | 'run_failed' | 'run_result' | 'claim_lapsed' | 'closed_unmet'
export interface Entry {
  id: string
  reason: Reason
  at: string
  readAt: string | null
  actor: { id: string; fullname: string } | null
  subject: { type: string; id: string }
  issue: { id: string; key: string; title: string }
}

/** A plugin's view below unread entries of a reason, such as the question with a field for the answer. */
export interface EntryView {
  reason: Reason
  component: ComponentType<{ entry: Entry }>
}
export const entryViews = point<EntryView>()(inbox, 'entryViews')
