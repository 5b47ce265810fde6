import { inflateSync } from 'node:zlib'

/** The texts of a PDF written by pdfkit, in order, one per position. */
export function pdfTexts(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes).toString('latin1')
  return [...file.matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, stream = '']) => {
    const page = readStream(Buffer.from(stream, 'latin1'))
    return [...page.matchAll(/\[([^\]]*)\] TJ/g)].map(([, pieces = '']) =>
      [...pieces.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''),
    )
  })
}

function readStream(bytes: Buffer): string {
  try {
    return inflateSync(bytes).toString('latin1')
  } catch {
    // An image or a font.
    return ''
  }
}
