/** All that the browser halves of other plugins may use of the shell. */
export * from './registry.ts'
export { fold } from '../../../lib/words/fold.ts'
export { isSearchable } from '../../../lib/words/scripts.ts'
export { api, ApiProblem, messageOf } from './api.ts'
export { announce, useCommands } from './keys.ts'
export { go, goBack, prefix } from './go.ts'
export { lazyElement } from './lazy.ts'
export { PageFrame } from './page-frame.tsx'
export { Avatar, Empty, ErrorNote, Kbd, Skeleton, Time, unseenClass } from './bits.tsx'
export { Card, Cards } from './cards.tsx'
export { Button, Dialog, Field } from './controls.tsx'
export { FloatingNote } from './floating-note.tsx'
export { Icon } from './icons.tsx'
export { RichTextView, richTextClass } from './rich-text-view.tsx'
export { offerUndo } from './undo.tsx'
export { usePrinting } from './printing.ts'
export { useRequest, type WriteRequest } from './use-request.ts'
export {
  AddForm,
  ConfirmButton,
  Copyable,
  Lead,
  Line,
  Lines,
  LineText,
  NameField,
  Select,
  ShownOnce,
  TextField
} from './settings-parts.tsx'
export { rememberEmail, rememberedEmail, useSession } from './session.ts'
export { SessionActions } from './session-actions.tsx'
