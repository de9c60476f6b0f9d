import { namedIn } from '../attachments/destinations.ts'
import { nameOf } from '../attachments/local.ts'
import type { Attachment, SourceAccess, SourceInput } from '../contract.ts'
import { isAddress } from '../io/files.ts'
import { textOf, type JsonObject } from '../values/values.ts'

const IMAGE_HOSTS = new Set(['user-images.githubusercontent.com', 'private-user-images.githubusercontent.com'])
/** Uploads at a GitHub itself: `/user-attachments/assets/…`, and before 2024 `/OWNER/REPO/assets/…` and `…/files/…`. */
const UPLOAD = /^\/(?:user-attachments\/(?:assets|files)|[^/]+\/[^/]+\/(?:assets|files)\/\d+)\/[^/]/
const MAY_HAVE = /\/(?:assets|files)\/|user-images\.githubusercontent\.com/

export function attachmentsOf(text: string | undefined, item: JsonObject): { attachments?: Attachment[] } {
  if (text === undefined || !MAY_HAVE.test(text)) return {}
  const host = URL.parse(textOf(item['html_url']) ?? '')?.host
  const attachments = namedIn(text).flatMap(address => {
    const url = URL.parse(address)
    if (url === null || !/^https?:$/.test(url.protocol)) return []
    if (!IMAGE_HOSTS.has(url.host) && !(url.host === host && UPLOAD.test(url.pathname))) return []
    // The query is a signature, which is another one each time.
    return [{ externalId: nameOf(`${url.host}${url.pathname}`), url: address }]
  })
  return attachments.length === 0 ? {} : { attachments }
}

/** To its pages: uploads are there, and not at its API. */
export async function accessOf({ place, token }: SourceInput): Promise<SourceAccess> {
  if (!isAddress(place)) return {}
  const { origin } = new URL(place)
  return {
    origin: origin.replace(/^https:\/\/api\.(?=github\.com$|.*\.ghe\.com$)/, 'https://'),
    authorization: token === undefined ? undefined : `Bearer ${token}`
  }
}
