import { inflateSync } from 'node:zlib'
import { strFromU8, unzipSync } from 'fflate'
import type { CallAnswer } from './server.ts'

/** The readable text of a response: the text itself, or that of its sheets or pages. */
export function readableText({ text, bytes, headers }: Pick<CallAnswer, 'text' | 'bytes' | 'headers'>): string {
  const type = headers.get('content-type') ?? ''
  if (type.includes('pdf')) return textOfPdf(Buffer.from(bytes))
  if (type.includes('sheet'))
    return Object.values(unzipSync(bytes))
      .map((part) => strFromU8(part))
      .join('\n')
  return text
}

/** Text is hexadecimal, interleaved with distances, in compressed streams. */
function textOfPdf(bytes: Buffer): string {
  const file = bytes.toString('latin1')
  // By length: compressed data may contain line breaks and keywords.
  const drawn = [...file.matchAll(/\/Length (\d+)[^]*?stream\r?\n/g)].map(({ 0: head, 1: length, index }) => {
    const start = index + head.length
    return inflateSync(Buffer.from(file.slice(start, start + Number(length)), 'latin1')).toString('latin1')
  })
  const lines = drawn.join('\n').matchAll(/\[([^\]]*)\] TJ/g)
  const lettersOf = (line: string) => [...line.matchAll(/<([\da-f]*)>/gi)].map(([, letters]) => letters).join('')
  return [...lines].map(([, line = '']) => Buffer.from(lettersOf(line), 'hex').toString('latin1')).join('\n')
}
