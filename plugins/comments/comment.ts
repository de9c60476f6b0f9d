import { invalid } from '../../core/api/errors.ts'
import { conversions } from '../../core/api/text.ts'

/** @throws 400 when it is empty */
export async function textOf(body: {
  body?: unknown
  bodyMarkdown?: string
}): Promise<{ body: string; bodyMarkdown: string }> {
  const [text] = await conversions.read([{ raw: body.body, markdown: body.bodyMarkdown, field: 'body' }])
  if (text === undefined || text.json === null || text.markdown.trim() === '') {
    throw invalid('body.bodyMarkdown is missing: send the comment as markdown.', { field: 'bodyMarkdown' })
  }
  return { body: text.json, bodyMarkdown: text.markdown }
}
