/** Pixels. */
const MAX_SIDE = 256
const QUALITY = 0.9

/** The square in the middle. @throws when the browser cannot read the image */
export async function scaleDown(file: File): Promise<File> {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name} cannot be read as an image: choose a PNG, JPEG, WebP, GIF or AVIF file.`)
  })
  const cut = Math.min(image.width, image.height)
  const side = Math.min(MAX_SIDE, cut)
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, (image.width - cut) / 2, (image.height - cut) / 2, cut, cut, 0, 0, side, side)
  image.close()
  // Browsers that cannot write WebP write PNG.
  const { promise, resolve } = Promise.withResolvers<Blob | null>()
  canvas.toBlob(resolve, 'image/webp', QUALITY)
  const blob = await promise
  if (blob === null) throw new Error(`${file.name} cannot be scaled down: choose another image.`)
  return new File([blob], `picture.${blob.type.slice('image/'.length)}`, { type: blob.type })
}
