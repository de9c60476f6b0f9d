import { runShare } from '../share.ts'

runShare(import.meta.url)
