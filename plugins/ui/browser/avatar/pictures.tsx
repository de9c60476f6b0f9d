import { createContext, Suspense, type ReactNode } from 'react'
import { lazyElement } from '../lazy.ts'
import { Skeleton } from '../parts/bits.tsx'
import { contributions, pictureSupport, type AccountOfPicture, type PictureSupport } from '../registry.ts'

/** The addresses of pictures by the ids of their accounts: one list for all avatars. */
export const Pictures = createContext<ReadonlyMap<string, string>>(new Map())

/** Gives the pictures of the workspace to all avatars. */
export function WithPictures({ children }: { children: ReactNode }) {
  const [support] = contributions(pictureSupport)
  return support ? <Listed usePictures={support.usePictures}>{children}</Listed> : children
}

function Listed({ usePictures, children }: Pick<PictureSupport, 'usePictures'> & { children: ReactNode }) {
  return <Pictures value={usePictures()}>{children}</Pictures>
}

export const havePictures = (): boolean => contributions(pictureSupport).length > 0

/** The field of an account's picture. */
export const PictureField = (account: AccountOfPicture) =>
  contributions(pictureSupport).map(({ loadField }, at) => (
    <Suspense key={at} fallback={<Skeleton lines={1} />}>
      {lazyElement(loadField, account)}
    </Suspense>
  ))
