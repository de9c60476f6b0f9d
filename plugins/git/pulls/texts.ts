import type { ProseBlock } from '../../../lib/rich-text/index.ts'
import { conversions } from '../../../core/api/text.ts'
import { KEY } from '../keys.ts'

/** A pull request as plain texts, one per block, with addresses of issues replaced by their keys. */
export interface PullTexts {
  naming: string[]
  /** Texts that may close issues: without quotes and open tasks. */
  closing: string[]
}

/** Replaces code and images, so that the words around them are not read as one sentence. */
const GAP = '\uFFFC'
const CODE = /`[^`]*`/g

/**
 * Reads the title, which is plain text with code between backticks, and the description, which is markdown.
 * @param site where browsers reach this server
 * @throws ApiError 413 or 503 when the description is too large
 */
export async function readPullTexts(pull: { title: string; body: string | null }, site: string): Promise<PullTexts> {
  const address = issueAddress(site)
  const title = pull.title.replaceAll(CODE, GAP).replaceAll(address, '$1')
  const blocks = (await conversions.prose(pull.body ?? '')).map(block => ({
    text: textOf(block, new RegExp(`^${address.source}$`, 'i')),
    mayClose: !block.isQuoted && !block.isOpenTask
  }))
  return {
    naming: [title, ...blocks.map(({ text }) => text)],
    closing: [title, ...blocks.filter(({ mayClose }) => mayClose).map(({ text }) => text)]
  }
}

/** The address of an issue's page. Any scheme is accepted: a proxy may terminate TLS. */
function issueAddress(site: string): RegExp {
  const { host, pathname } = new URL(site)
  const page = RegExp.escape(`${host}${pathname.replace(/\/$/, '')}/issue/`)
  return new RegExp(String.raw`\bhttps?://${page}(${KEY})(?![\w-])(?:/?[?#][^\s<>()]*|/(?![\w-]))?`, 'gi')
}

function textOf({ runs }: ProseBlock, address: RegExp): string {
  let keyOfLast: string | undefined
  return runs
    .map(run => {
      const key = run?.link ? address.exec(run.link.href)?.[1] : undefined
      const isSameLink = key !== undefined && key === keyOfLast
      keyOfLast = key
      if (run === null || run.isStruck) return GAP
      if (key !== undefined) return isSameLink ? '' : key
      return run.link?.isBare === true ? GAP : run.text
    })
    .join('')
}
