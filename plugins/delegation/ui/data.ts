/** A run in the answer of `GET /v1/agent_runs`. */
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
}
export interface Output {
  seq: number
  at: string
  type: 'status' | 'stdout' | 'stderr'
  text: string
}
/** Milliseconds between refreshes while a run is active. */
export const FOLLOW_MS = 2000

export const isOver = ({ finishedAt }: Run): boolean => finishedAt !== null

export interface Step {
  seq: number
  at: string
  type: 'status' | 'message' | 'tool' | 'file' | 'failure'
  name: string | null
  text: string
}
