import { inflateSync } from 'node:zlib'
import { strFromU8, unzipSync } from 'fflate'
import type { CallAnswer } from './server.ts'

/** What a person reads in an answer: the text itself, or that of the sheets or pages it packs. */
export function readableText({ text, bytes, headers }: Pick<CallAnswer, 'text' | 'bytes' | 'headers'>): string {
  const type = headers.get('content-type') ?? ''
  if (type.includes('pdf')) return textOfPdf(Buffer.from(bytes))
  if (type.includes('sheet'))
    return Object.values(unzipSync(bytes))
      .map((part) => strFromU8(part))
      .join('\n')
  return text
}

/** The shown letters stand in hexadecimal, with distances between them, in packed streams. */
function textOfPdf(bytes: Buffer): string {
  const file = bytes.toString('latin1')
  // By their lengths: what is packed may hold line ends, and words, of its own.
  const drawn = [...file.matchAll(/\/Length (\d+)[^]*?stream\r?\n/g)].map(({ 0: head, 1: length, index }) => {
    const start = index + head.length
    return inflateSync(Buffer.from(file.slice(start, start + Number(length)), 'latin1')).toString('latin1')
  })
  const lines = drawn.join('\n').matchAll(/\[([^\]]*)\] TJ/g)
  const lettersOf = (line: string) => [...line.matchAll(/<([\da-f]*)>/gi)].map(([, letters]) => letters).join('')
  return [...lines].map(([, line = '']) => Buffer.from(lettersOf(line), 'hex').toString('latin1')).join('\n')
}
