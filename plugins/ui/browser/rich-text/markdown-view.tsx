import { Markdown, richTextClass } from './rich-text-view.tsx'

/** Displays a text that exists only as Markdown. */
export const MarkdownView = ({ text }: { text: string }) => (
  <div className={richTextClass} dir="auto">
    <Markdown text={text} />
  </div>
)
