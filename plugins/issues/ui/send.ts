import { api, ApiProblem } from '../../ui/browser/contract.ts'

/** Who works on the issue that a change would take away from them; undefined: it was refused for another reason. */
function holderIn(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem) || error.status !== 409) return undefined
  const { holder } = error.details as { holder?: { fullname: string } }
  return holder?.fullname
}

/** Sends a change of issues. What an agent works on is taken from it only if the person says so. */
export async function sendChange<T>(path: string, body: object): Promise<T> {
  try {
    return await api<T>(path, { body })
  } catch (error) {
    const holder = holderIn(error)
    if (holder === undefined || !window.confirm(`${holder} works on this. Take it away from them?`)) throw error
    return api<T>(path, { body: { ...body, takeover: true } })
  }
}
