import { runAsSharer, Shares } from '../../../core/api/accounts.ts'
import type { Principal } from '../../../core/api/contract.ts'
import { overloaded } from '../../../core/api/errors.ts'

/** Files that are read at once, by a token, a workspace and from this process: each holds a part of a file. */
const MAX_DOWNLOADS_OF_TOKEN = 64
const MAX_DOWNLOADS_OF_WORKSPACE = 128
const MAX_DOWNLOADS = 192

const downloadShares = new Shares({
  what: 'files that are being read',
  perToken: MAX_DOWNLOADS_OF_TOKEN,
  perWorkspace: MAX_DOWNLOADS_OF_WORKSPACE,
  advice: 'read one to its end first'
})
let downloads = 0

/** Counts a download. @returns a function that ends it @throws 429 or 503 when there are too many */
export function takeDownload(principal: Principal): () => void {
  const release = runAsSharer(principal, () => downloadShares.take())
  if (downloads >= MAX_DOWNLOADS) {
    release()
    throw overloaded('The server already sends as many files as it can: try again in a few seconds.')
  }
  downloads++
  return () => {
    release()
    downloads--
  }
}
