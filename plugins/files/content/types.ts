/*
 * Types that browsers show in place, because nothing in them is executed. All others are downloaded. The pages import
 * this file, too.
 */

const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
const OTHER_INLINE_TYPES = new Set(['video/mp4', 'video/webm', 'application/pdf'])

export const isShownAsImage = (mimeType: string): boolean => IMAGE_TYPES.has(mimeType)
export const isShownInline = (mimeType: string): boolean => isShownAsImage(mimeType) || OTHER_INLINE_TYPES.has(mimeType)
