import type { Attachment } from '../contract.ts'

/** Within texts, quotes have backslashes. */
const HAS_ATTACHMENTS = '"attachments":['

export const hasAttachments = (json: string): boolean => json.includes(HAS_ATTACHMENTS)

export const attachmentsIn = (json: string): Attachment[] =>
  hasAttachments(json) ? ((JSON.parse(json) as { attachments?: Attachment[] }).attachments ?? []) : []
