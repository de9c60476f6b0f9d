import { currentFile } from './share.ts'

/** Replaces tap in a test file that shares a process; evaluated once for each file. */
export default currentFile
