import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readPicture } from './picture-bytes.ts'

function chunk(kind: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function png(...more: Buffer[]): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(20, 0)
  head.writeUInt32BE(30, 4)
  head.set([8, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(30 * 21))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const part = (marker: number, content: Buffer | string) => {
  const body = Buffer.from(content)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

function jpeg(...more: Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    ...more,
    part(0xc0, Buffer.from([8, 0, 30, 0, 20, 1, 1, 0x11, 0])),
    part(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 0xff, 0x00, 3, 0xff, 0xd0, 4]),
    Buffer.from('ffd9', 'hex'),
  ])
}

function webp(...parts: [kind: string, content: Buffer][]): Buffer {
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    ...parts.map(([kind, content]) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(content.length)
      return Buffer.concat([Buffer.from(kind), length, content, Buffer.alloc(content.length % 2)])
    }),
  ])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

const pixels = Buffer.alloc(11)
pixels.writeUInt32LE(19 | (29 << 14), 1)

const script = '<script>alert(1)</script>'

describe('an image is unchanged, with its size', () => {
  test.each([
    ['PNG', png(), 'image/png'],
    ['JPEG', jpeg(), 'image/jpeg'],
    ['WebP', webp(['VP8L', pixels]), 'image/webp'],
  ])('%s', (_, bytes, mimeType) => {
    expect(readPicture(bytes)).toEqual({ bytes, mimeType, width: 20, height: 30 })
  })
})

describe('everything but the image is removed', () => {
  test.each([
    ['a page behind a PNG', Buffer.concat([png(), Buffer.from(script)]), png()],
    ['text in a PNG', png(chunk('tEXt', Buffer.from(`Comment\0${script}`))), png()],
    ['where a PNG was taken', png(chunk('eXIf', Buffer.from(script))), png()],
    ['a comment in a JPEG', jpeg(part(0xfe, script)), jpeg()],
    ['where a JPEG was taken', jpeg(part(0xe1, `Exif\0\0${script}`)), jpeg()],
    ['an archive behind a JPEG', Buffer.concat([jpeg(), Buffer.from(`PK\u0003\u0004${script}`)]), jpeg()],
    ['a page behind a WebP', Buffer.concat([webp(['VP8L', pixels]), Buffer.from(script)]), webp(['VP8L', pixels])],
    ['notes in a WebP', webp(['VP8L', pixels], ['XMP ', Buffer.from(script)]), webp(['VP8L', pixels])],
  ])('%s', (_, bytes, left) => {
    expect(readPicture(bytes).bytes).toEqual(left)
    expect(readPicture(bytes).bytes.toString('latin1')).not.toContain('script')
  })
})

describe('is rejected', () => {
  test.each([
    ['an SVG', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`), 'Choose a PNG'],
    ['a GIF', Buffer.from('GIF89a..............'), 'Choose a PNG'],
    ['a page declared as a picture', Buffer.from(`<!doctype html>${script}`), 'Choose a PNG'],
    ['an animated PNG', png(chunk('acTL', Buffer.alloc(8))), 'animated'],
    ['an animated WebP', webp(['VP8X', Buffer.alloc(10)], ['ANIM', Buffer.alloc(6)], ['VP8L', pixels]), 'animated'],
    ['a PNG cut off', png().subarray(0, 60), 'damaged'],
    ['a PNG with a wrong sum', Buffer.from(png().map((byte, index) => (index === 20 ? byte + 1 : byte))), 'damaged'],
    ['a WebP with a wrong length', webp(['VP8L', pixels]).subarray(0, 30), 'damaged'],
    ['a WebP without pixels', webp(['XMP ', Buffer.from(script)]), 'damaged'],
  ])('%s', (_, bytes, words) => {
    expect(() => readPicture(bytes)).toThrow(words)
  })

  test('a JPEG truncated anywhere', () => {
    const whole = jpeg()
    for (let length = 2; length < whole.length; length += 1)
      expect(() => readPicture(whole.subarray(0, length))).toThrow()
  })
})
