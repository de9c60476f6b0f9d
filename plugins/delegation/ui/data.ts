export interface Run {
  id: string
  issueKey: string
  status: string
  attempt: number
  requestedBy: { fullname: string }
  createdAt: string
  finishedAt: string | null
  error: { reason: string; message: string } | null
  summary: string | null
  instructions: string | null
  retryOf: string | null
  runner: string
  result: {
    branch: string | null
    url: string | null
    review: 'ACCEPTED' | 'SENT_BACK' | null
    reviewedBy: { fullname: string } | null
  } | null
}
export const isOver = ({ finishedAt }: Run): boolean => finishedAt !== null

export const isReviewable = (run: Run): boolean => isOver(run) && run.result !== null && run.result.review === null

export interface Output {
  seq: number
  at: string
  type: 'status' | 'stdout' | 'stderr'
  text: string
}
/** Milliseconds between refreshes while a run is active. */
export const FOLLOW_MS = 2000

export interface Step {
  seq: number
  at: string
  type: 'status' | 'message' | 'tool' | 'file' | 'failure'
  name: string | null
  text: string
}
