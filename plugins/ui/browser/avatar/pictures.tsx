import { createContext, Suspense, type ReactNode } from 'react'
import { lazyElement } from '../lazy.ts'
import { Skeleton } from '../parts/bits.tsx'
import { contributions, pictureSupport, type AccountOfPicture, type PictureSupport } from '../registry.ts'

/** By the ids of accounts: one list for all avatars. */
export const Pictures = createContext<ReadonlyMap<string, string>>(new Map())

export function WithPictures({ children }: { children: ReactNode }) {
  const [support] = contributions(pictureSupport)
  return support ? <Listed usePictures={support.usePictures}>{children}</Listed> : children
}

function Listed({ usePictures, children }: Pick<PictureSupport, 'usePictures'> & { children: ReactNode }) {
  return <Pictures value={usePictures()}>{children}</Pictures>
}

export const havePictures = (): boolean => contributions(pictureSupport).length > 0

export const PictureField = (account: AccountOfPicture) =>
  contributions(pictureSupport).map(({ loadField }, at) => (
    <Suspense key={at} fallback={<Skeleton lines={1} />}>
      {lazyElement(loadField, account)}
    </Suspense>
  ))
