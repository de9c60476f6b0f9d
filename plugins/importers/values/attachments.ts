import type { Attachment } from '../contract.ts'

/** How the JSON of a record with attachments has them: within texts, its quotes have backslashes. */
const HAS_ATTACHMENTS = '"attachments":['

export const hasAttachments = (json: string): boolean => json.includes(HAS_ATTACHMENTS)

/** The attachments of a record's JSON. */
export const attachmentsIn = (json: string): Attachment[] =>
  hasAttachments(json) ? ((JSON.parse(json) as { attachments?: Attachment[] }).attachments ?? []) : []
