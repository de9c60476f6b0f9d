import { api, ApiProblem, useRequest } from '../../../ui/browser/contract.ts'

/** The agent whose work a change would take away; undefined: it was refused for another reason. */
function holderIn(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem) || error.status !== 409) return undefined
  const { holder } = error.details as { holder?: { fullname: string } }
  return holder?.fullname
}

/** Sends a change of issues. An agent's work is taken from it only after confirmation. */
export async function sendChange<T>(path: string, body: object): Promise<T> {
  try {
    return await api<T>(path, { body })
  } catch (error) {
    const holder = holderIn(error)
    if (holder === undefined || !window.confirm(`${holder} works on this. Take it away from them?`)) throw error
    return api<T>(path, { body: { ...body, takeover: true } })
  }
}

/** For requests that change what an issue shows, or its connections: all of it is fetched again. */
export const useIssueRequest = <T = unknown>() => useRequest<T>('issue', 'context', 'issues', 'timeline')
