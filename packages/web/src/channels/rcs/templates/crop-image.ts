import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import { cropArea, croppedSize, type Crop } from './media-frame.ts'

/** Loads a chosen picture. */
export async function readPicture(file: File): Promise<ImageBitmap> {
  return createImageBitmap(file, { imageOrientation: 'from-image' })
}

const qualities = [0.92, 0.85, 0.75, 0.6, 0.45]

/** The crop as a JPEG of at most 1440 by 720 that is small enough for RCS. */
export async function cropPicture(picture: ImageBitmap, { crop, name }: { crop: Crop; name: string }): Promise<File> {
  const { left, top, width, height } = cropArea(picture, crop)
  const canvas = document.createElement('canvas')
  // A small picture is not enlarged: it would only get heavier.
  canvas.width = Math.round(Math.min(croppedSize.width, width * picture.width))
  canvas.height = Math.round(canvas.width / 2)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser cannot draw images')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(
    picture,
    left * picture.width,
    top * picture.height,
    width * picture.width,
    height * picture.height,
    0,
    0,
    canvas.width,
    canvas.height,
  )
  return new File([await compress(canvas)], jpegName(name), { type: 'image/jpeg' })
}

async function compress(canvas: HTMLCanvasElement): Promise<Blob> {
  let smallest: Blob | undefined
  for (const quality of qualities) {
    smallest = await toJpeg(canvas, quality)
    if (smallest.size <= rcsLimits.imageBytes) return smallest
  }
  if (!smallest) throw new Error('The image could not be compressed')
  return smallest
}

function toJpeg(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The image could not be compressed'))),
      'image/jpeg',
      quality,
    )
  })
}

function jpegName(name: string): string {
  return `${name.replace(/\.[^.]*$/, '') || 'image'}.jpg`
}
