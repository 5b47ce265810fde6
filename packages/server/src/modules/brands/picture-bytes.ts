import { crc32 } from 'node:zlib'

/** A still image without metadata. */
export type Picture = {
  bytes: Buffer
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
}

/** Why a file is not a valid image, as text for the user. */
export class NotAPicture extends Error {
  override name = 'NotAPicture'
}

/**
 * Rebuilds a PNG, JPEG or WebP from the parts needed to draw it: no comments, no locations, no trailing data. A file that is
 * an image and something else at once is reduced to the image.
 */
export function readPicture(bytes: Buffer): Picture {
  if (bytes.subarray(0, 8).equals(pngSignature)) return readPng(bytes)
  if (bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes)
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return readWebp(bytes)
  throw new NotAPicture('Choose a PNG, JPEG or WebP image')
}

const broken = () => new NotAPicture('This image is damaged: export it again')
const moving = () => new NotAPicture('An animated image cannot be a logo')

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')
/** PNG chunks needed for drawing. */
const pngParts = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND'])

function readPng(bytes: Buffer): Picture {
  const kept: Buffer[] = [pngSignature]
  let at = pngSignature.length
  let kind = ''
  while (kind !== 'IEND') {
    if (at + 12 > bytes.length) throw broken()
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw broken()
    kind = bytes.toString('latin1', at + 4, at + 8)
    if (kind === 'acTL') throw moving()
    if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) throw broken()
    if (kept.length === 1 && kind !== 'IHDR') throw broken()
    if (pngParts.has(kind)) kept.push(bytes.subarray(at, end))
    at = end
  }
  return {
    bytes: Buffer.concat(kept),
    mimeType: 'image/png',
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
  }
}

const startOfScan = 0xda
const endOfImage = 0xffd9
/** JPEG tables, frames and pixels; of the application segments only Adobe's, which defines the color space. */
const jpegParts = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd, 0xee, startOfScan])
const jpegFrames = new Set([0xc0, 0xc1, 0xc2])

/** A length beyond the end of the file throws a RangeError. */
function readJpeg(bytes: Buffer): Picture {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | undefined
  let at = 2
  while (bytes.readUInt16BE(at) !== endOfImage) {
    if (bytes[at] !== 0xff) throw broken()
    const marker = bytes.readUInt8(at + 1)
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (jpegFrames.has(marker)) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // Pixel data has no length; it extends to the next marker.
    const next = marker === startOfScan ? endOfScan(bytes, end) : end
    if (jpegParts.has(marker)) kept.push(bytes.subarray(at, next))
    at = next
  }
  if (!size) throw broken()
  return { bytes: Buffer.concat([...kept, bytes.subarray(at, at + 2)]), mimeType: 'image/jpeg', ...size }
}

/** In pixel data, 0xff is followed by zero or one of eight restart markers. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    const next = bytes[at + 1] ?? 0
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  throw broken()
}

const webpParts = new Set(['VP8 ', 'VP8L', 'ALPH'])

function readWebp(bytes: Buffer): Picture {
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) throw broken()
  const kept: Buffer[] = []
  let size: { width: number; height: number } | undefined
  for (let at = 12; at + 8 <= end;) {
    const kind = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const next = at + 8 + length + (length % 2)
    if (at + 8 + length > end) throw broken()
    if (kind === 'ANIM' || kind === 'ANMF') throw moving()
    const content = bytes.subarray(at + 8, at + 8 + length)
    if (kind === 'VP8X') kept.push(plainExtension(bytes.subarray(at, at + 18)))
    if (webpParts.has(kind)) kept.push(bytes.subarray(at, Math.min(next, end)))
    if (kind === 'VP8 ' || kind === 'VP8L') size = webpSize(kind, content)
    at = next
  }
  if (!size) throw broken()
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return { bytes: Buffer.concat([head, body]), mimeType: 'image/webp', ...size }
}

/** Clears all extension flags but transparency. */
function plainExtension(part: Buffer): Buffer {
  if (part.length < 18) throw broken()
  const plain = Buffer.from(part)
  plain[8] = (plain[8] ?? 0) & 0x10
  return plain
}

function webpSize(kind: 'VP8 ' | 'VP8L', content: Buffer): { width: number; height: number } {
  if (content.length < 10) throw broken()
  if (kind === 'VP8 ') return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff }
  const bits = content.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
