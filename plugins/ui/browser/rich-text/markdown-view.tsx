import { Markdown, richTextClass } from './rich-text-view.tsx'

export const MarkdownView = ({ text }: { text: string }) => (
  <div className={richTextClass} dir="auto">
    <Markdown text={text} />
  </div>
)
