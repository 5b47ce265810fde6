import { open } from 'node:fs/promises'

/** The type of a file by its first bytes, whatever its name or declared type. */
export type MediaType = { mimeType: string; extension: string }

type Signature = MediaType & { matches: (head: Buffer) => boolean }

const headBytes = 64

/** Media types of the channels. Formats that a browser could execute (SVG, HTML, XML) have no signature here and are rejected. */
const signatures: readonly Signature[] = [
  { mimeType: 'image/png', extension: 'png', matches: startsWith('89504e470d0a1a0a') },
  { mimeType: 'image/jpeg', extension: 'jpg', matches: startsWith('ffd8ff') },
  { mimeType: 'image/gif', extension: 'gif', matches: (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)) },
  { mimeType: 'image/webp', extension: 'webp', matches: (head) => isRiff(head, 'WEBP') },
  { mimeType: 'video/3gpp', extension: '3gp', matches: (head) => /^3g[a-z0-9]/.test(brand(head)) },
  { mimeType: 'audio/mp4', extension: 'm4a', matches: (head) => /^M4[AB]/.test(brand(head)) },
  {
    mimeType: 'video/mp4',
    extension: 'mp4',
    matches: (head) => /^(?:iso[m2-9]|mp4[12]|avc1|dash|M4V |MSNV)/.test(brand(head)),
  },
  { mimeType: 'application/pdf', extension: 'pdf', matches: (head) => head.toString('latin1', 0, 5) === '%PDF-' },
  { mimeType: 'audio/ogg', extension: 'ogg', matches: (head) => head.toString('latin1', 0, 4) === 'OggS' },
  { mimeType: 'audio/amr', extension: 'amr', matches: (head) => head.toString('latin1', 0, 5) === '#!AMR' },
  { mimeType: 'audio/wav', extension: 'wav', matches: (head) => isRiff(head, 'WAVE') },
  {
    mimeType: 'audio/mpeg',
    extension: 'mp3',
    matches: (head) => head.toString('latin1', 0, 3) === 'ID3' || isMpegFrame(head),
  },
  {
    mimeType: 'audio/aac',
    extension: 'aac',
    matches: (head) => head[0] === 0xff && (head[1] === 0xf1 || head[1] === 0xf9),
  },
]

export function detectMediaType(head: Buffer): MediaType | undefined {
  const found = signatures.find(({ matches }) => matches(head))
  return found && { mimeType: found.mimeType, extension: found.extension }
}

export async function readMediaType(path: string): Promise<MediaType | undefined> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return detectMediaType(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

function startsWith(hex: string): (head: Buffer) => boolean {
  const bytes = Buffer.from(hex, 'hex')
  return (head) => head.subarray(0, bytes.length).equals(bytes)
}

function isRiff(head: Buffer, kind: string): boolean {
  return head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === kind
}

/** The major brand in the `ftyp` box of an ISO media file. */
function brand(head: Buffer): string {
  return head.toString('latin1', 4, 8) === 'ftyp' ? head.toString('latin1', 8, 12) : ''
}

/** Eleven set bits, then a version and layer III; layer 0 is AAC. */
function isMpegFrame(head: Buffer): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2
}
