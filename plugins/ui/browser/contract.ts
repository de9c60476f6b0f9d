/** The parts of the shell that browser halves of other plugins may use. */
export * from './registry.ts'
export { fold } from '../../../lib/words/fold.ts'
export { isSearchable } from '../../../lib/words/scripts.ts'
export { api, ApiProblem, currentText, currentValues, isUnreached, messageOf } from './data/api.ts'
export { announce, isComposing, moveByKeys, moveFocus, MOVING_KEYS, useCommands } from './keys.ts'
export { DragHandle } from './sorting/drag-handle.tsx'
export { useDragging, type DragRange } from './sorting/dragging.ts'
export { useSorting } from './sorting/use-sorting.ts'
export { go, goBack, plugins, prefix, useOpenByAddress } from './go.ts'
export { type DraftPlace } from './editor/drafts.ts'
export { withFiles } from './editor/files/uploads.ts'
export { SaveButtons, useSaving } from './editor/saving.tsx'
export { StoredText } from './editor/stored-text.tsx'
export { leaveField, RichTextField } from './editor/rich-text-field.tsx'
export { useHasDraft, useLineDraft, useWriting, useWritingState, type Writing } from './editor/writing.ts'
export { isReturn } from './visit.ts'
export { lazyElement } from './lazy.ts'
export { PageFrame, SubHeading } from './shell/page-frame.tsx'
export { Avatar } from './avatar/avatar.tsx'
export { havePictures, PictureField } from './avatar/pictures.tsx'
export { Empty, ErrorNote, formatBytes, Kbd, Meter, Skeleton, Time, unseenClass } from './parts/bits.tsx'
export { Card, Cards } from './parts/cards.tsx'
export { Conflict } from './parts/conflict.tsx'
export { Button, Dialog, Field } from './parts/controls.tsx'
export { copyText } from './parts/copy.ts'
export { Listeners } from './data/listeners.ts'
export { randomKey } from './data/random-key.ts'
export { Menu, type MenuItem } from './parts/menu.tsx'
export { putBeside, whilePlaced } from './parts/place.ts'
export { Resizer, type Widths } from './sizes/resizer.tsx'
export { useRowHeight } from './sizes/density.ts'
export { storedState } from './sizes/stored-state.ts'
export { SideLink, SideList } from './side/side-item.tsx'
export { FloatingNote } from './shell/floating-note.tsx'
export { Icon } from './parts/icons.tsx'
export { Calendar } from './picker/calendar.tsx'
export { Choice, ChoiceButton } from './picker/choice.tsx'
export { DayChoice } from './picker/day-choice.tsx'
export { DayPicker } from './picker/day-picker.tsx'
export { addDays, dayText, mondayOf, today } from './picker/days.ts'
export { PickerDialog } from './picker/picker-dialog.tsx'
export { PickerButton, type OpenPicker } from './picker/picker-button.tsx'
export { type PickerOption } from './picker/picker-list.tsx'
export { MultiPicker, Picker } from './picker/picker.tsx'
export { MarkdownView } from './rich-text/markdown-view.tsx'
export { plainText, RichTextView, richTextClass, type ItemAction } from './rich-text/rich-text-view.tsx'
export { offerRestore, offerUndo, removeRestorable, reportProblem } from './shell/undo.tsx'
export { mediaHook, usePrinting } from './media.ts'
export { KeptHere, KeptMark } from './offline/kept-list.tsx'
export { isWaiting, sendOrKeep, useKeptOf, type KeptAbout } from './offline/kept.ts'
export { useListChanges } from './data/use-list-changes.ts'
export { useRequest, type WriteRequest } from './data/use-request.ts'
export {
  AddForm,
  ConfirmButton,
  Copyable,
  Labelled,
  Lead,
  Line,
  Lines,
  LineText,
  NameField,
  Select,
  ShownOnce,
  TextField
} from './settings/settings-parts.tsx'
export { StartStep } from './start/start-step.tsx'
export { rememberEmail, rememberedEmail, useSession } from './session/session.ts'
export { endWorkspaceChoice, isWorkspaceAsked, WorkspaceChoice, type Workspace } from './session/workspace-choice.tsx'
export { SessionActions, useSignOut } from './session/session-actions.tsx'
