import { conversions } from '../../core/api/text.ts'

export async function withBodies<E extends { content: string }>(
  entries: readonly E[],
  isAsked: boolean
): Promise<Array<E & { body?: object }>> {
  if (!isAsked) return [...entries]
  const texts = await conversions.read(entries.map(({ content }) => ({ markdown: content, field: 'content' })))
  return entries.map((entry, at) => {
    const json = texts[at]?.json
    return json ? { ...entry, body: JSON.parse(json) as object } : entry
  })
}
