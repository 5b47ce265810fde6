/** A set of positions from 0 to below a length, one bit each: position i is bit i % 8 of byte i / 8. */
export type Bitmap = Uint8Array

export function createBitmap(length: number): Bitmap {
  return new Uint8Array(Math.ceil(length / 8))
}

export function setBit(bitmap: Bitmap, position: number): void {
  const byte = position >> 3
  bitmap[byte] = (bitmap[byte] ?? 0) | (1 << (position & 7))
}

export function hasBit(bitmap: Bitmap, position: number): boolean {
  return ((bitmap[position >> 3] ?? 0) & (1 << (position & 7))) !== 0
}

/** The set in blocks of `size` positions as PostgreSQL's text format of `bit(size)`; blocks without a position are left out. */
export function toBitStrings(bitmap: Bitmap, size: number): { block: number; bits: string }[] {
  const blocks: { block: number; bits: string }[] = []
  const bytes = size / 8
  for (let block = 0; block * bytes < bitmap.length; block += 1) {
    const part = bitmap.subarray(block * bytes, (block + 1) * bytes)
    if (part.every((byte) => byte === 0)) continue
    let bits = ''
    for (const byte of part) bits += bitsOfByte[byte] ?? ''
    blocks.push({ block, bits: bits.padEnd(size, '0') })
  }
  return blocks
}

/** The bits of each byte, the lowest first. */
const bitsOfByte = Array.from({ length: 256 }, (_, byte) =>
  Array.from({ length: 8 }, (_bit, place) => (byte & (1 << place) ? '1' : '0')).join(''),
)

/** The set of blocks in that format, up to below a length. */
export function fromBitStrings(
  blocks: readonly { block: number; bits: string }[],
  { size, length }: { size: number; length: number },
): Bitmap {
  const bitmap = createBitmap(length)
  for (const { block, bits } of blocks)
    for (let at = bits.indexOf('1'); at !== -1; at = bits.indexOf('1', at + 1))
      if (block * size + at < length) setBit(bitmap, block * size + at)
  return bitmap
}
