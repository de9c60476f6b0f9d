import { fileSupport, liveQueries, type Part } from '../../ui/browser/contract.ts'
import { isFile } from './data.ts'
import { FileImage } from './image.tsx'
import { FileLink } from './link.tsx'
import { upload } from './upload.ts'

const part: Part = ({ contribute }) => {
  contribute(fileSupport, { upload, isFile, Image: FileImage, Link: FileLink })
  contribute(liveQueries, { events: 'file.', queries: ['file'] })
}
export default part
