import { rcsMediaHeights } from '@carillon/contract/channels/rcs/rcs-limits'

export type Size = { width: number; height: number }
/** A rectangle in parts of the picture: 0 to 1. */
export type Area = { left: number; top: number; width: number; height: number }

/** The size of cropped images, twice as wide as high. */
export const croppedSize: Size = { width: 1440, height: 720 }

/** The part of a picture that a frame shows, centred and as large as possible. */
export function visibleArea(picture: Size, frame: Size): Area {
  const scale = Math.max(frame.width / picture.width, frame.height / picture.height)
  const width = frame.width / scale / picture.width
  const height = frame.height / scale / picture.height
  return { left: (1 - width) / 2, top: (1 - height) / 2, width, height }
}

const labels = { SHORT: 'Short', MEDIUM: 'Medium', TALL: 'Tall' } as const

/** What remains visible of a cropped image at each media height of a card. */
export function safeAreas(cardWidth: number): { height: keyof typeof labels; label: string; area: Area }[] {
  return (['SHORT', 'MEDIUM', 'TALL'] as const).map((height) => ({
    height,
    label: labels[height],
    area: visibleArea(croppedSize, { width: cardWidth, height: rcsMediaHeights[height] }),
  }))
}

/** A crop of a picture: its centre in parts of the picture, and how far it is enlarged. */
export type Crop = { x: number; y: number; zoom: number }

export const wholeCrop: Crop = { x: 0.5, y: 0.5, zoom: 1 }

/** The part of the picture inside a 2:1 crop, kept within the picture. */
export function cropArea(picture: Size, { x, y, zoom }: Crop): Area {
  const { width, height } = visibleArea(picture, croppedSize)
  const size = { width: width / zoom, height: height / zoom }
  return {
    left: within(x - size.width / 2, 1 - size.width),
    top: within(y - size.height / 2, 1 - size.height),
    ...size,
  }
}

/** Moves a crop by parts of the picture, kept within it. */
export function movedCrop(picture: Size, crop: Crop, by: { x: number; y: number }): Crop {
  const { left, top, width, height } = cropArea(picture, { ...crop, x: crop.x + by.x, y: crop.y + by.y })
  return { ...crop, x: left + width / 2, y: top + height / 2 }
}

function within(value: number, most: number): number {
  return Math.min(Math.max(0, value), Math.max(0, most))
}
