import { currentFile } from './share.ts'

/** What a test file imports instead of tap while it shares a process; evaluated once for each file. */
export default currentFile
