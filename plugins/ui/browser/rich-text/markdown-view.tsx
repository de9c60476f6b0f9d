import { Markdown, richTextClass } from './rich-text-view.tsx'

/** A rich text of which there is only the Markdown. */
export const MarkdownView = ({ text }: { text: string }) => (
  <div className={richTextClass} dir="auto">
    <Markdown text={text} />
  </div>
)
