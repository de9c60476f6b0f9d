import type { NodeJson } from '../../../../../lib/rich-text/index.ts'
import { plainText } from '../../../../ui/browser/contract.ts'
import { cutTitle } from '../../list/row.ts'

/** True if a text begins with an issue key, as an item that became an issue does. */
export const namesIssue = (text: string): boolean => /^[A-Z][A-Z\d]{0,9}-\d+\b/.test(text)

export interface ConvertedItem {
  title: string
  descriptionMarkdown: string
  /** The number of the item among the list items of the document, from 1. */
  n: number
  /** The content of the item without its box, as JSON text. */
  content: string
  /** The markdown in which the new issue stands in place of the item; all else keeps its bytes. */
  withIssue(key: string): string
}

const itemsOf = (node: NodeJson): NodeJson[] => [
  ...(node.type === 'list_item' ? [node] : []),
  ...(node.content ?? []).flatMap(itemsOf)
]

const contentOf = ({ content }: NodeJson): string => JSON.stringify(content ?? [])

/** The number of an item in a text that has changed; 0: it is not in it any more. */
export function placeOfItem(stored: NodeJson, { n, content }: ConvertedItem): number {
  const contents = itemsOf(stored).map(contentOf)
  return contents[n - 1] === content ? n : contents.indexOf(content) + 1
}

/** Takes a list item out of a stored text. @param n counts its list items from 1, in the order of the document */
export async function convertItem(stored: NodeJson, n: number): Promise<ConvertedItem | undefined> {
  const { schema, serialize } = await import('../../../../../lib/rich-text/index.ts')
  const changed = structuredClone(stored)
  const item = itemsOf(changed)[n - 1]
  const [first, ...rest] = item?.content ?? []
  if (!item || !first) return undefined
  const title = cutTitle(plainText(first).replaceAll(/\s+/g, ' ').trim())
  return {
    title,
    n,
    content: contentOf(item),
    descriptionMarkdown: rest.length > 0 ? serialize(schema.nodeFromJSON({ type: 'doc', content: rest })) : '',
    withIssue(key) {
      item.content = [{ type: 'paragraph', content: [{ type: 'text', text: `${key} ${title}` }] }]
      return serialize(schema.nodeFromJSON(changed))
    }
  }
}
