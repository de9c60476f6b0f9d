import { fileSupport, liveQueries, pictureSupport, settingsTabs, type Part } from '../../ui/browser/contract.ts'
import { isShownAsImage } from '../content/types.ts'
import { boxOf, isFile, PICTURES_KEY, prepare, usePictures } from './data.ts'
import { FileImage } from './image.tsx'
import { FileLink } from './link.tsx'
import { upload } from './upload.ts'

const part: Part = ({ contribute }) => {
  contribute(fileSupport, { upload, isFile, isShownAsImage, boxOf, prepare, Image: FileImage, Link: FileLink })
  contribute(pictureSupport, { usePictures, loadField: () => import('./picture/picture.tsx') })
  contribute(settingsTabs, {
    path: 'files',
    title: 'Files',
    words: 'attachments storage uploads',
    order: 65,
    load: () => import('./settings.tsx')
  })
  contribute(liveQueries, { events: 'file.', queries: ['files'] })
  contribute(liveQueries, { events: 'file.added', queries: [PICTURES_KEY] })
  contribute(liveQueries, { events: 'file.deleted', queries: ['file', PICTURES_KEY] })
}
export default part
