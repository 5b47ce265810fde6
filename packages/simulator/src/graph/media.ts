import { randomBytes } from 'node:crypto'
import { answered, type Call, type Graph } from './graph.ts'
import { GraphError, invalid } from './graph-error.ts'
import { saveMedia } from './inbound-message.ts'
import type { Media, PhoneNumber } from './objects.ts'

const megabyte = 1024 * 1024
const keptMs = 30 * 24 * 3_600_000

const imageTypes = ['image/jpeg', 'image/png']
const videoTypes = ['video/mp4', 'video/3gpp']
const audioTypes = ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/opus']

/** `POST /{phone_number_id}/media`: multipart, with the file and its type. */
export async function uploadMedia({ graph, bytes, request }: Call, number: PhoneNumber) {
  const form = await readForm(bytes, request.headers['content-type'])
  if (form.get('messaging_product') !== 'whatsapp')
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' })
  const file = form.get('file')
  if (!(file instanceof File)) throw new GraphError(100, { message: '(#100) The parameter file is required.' })
  const type = form.get('type')
  const mimeType = (typeof type === 'string' && type !== '' ? type : file.type).split(';')[0]?.trim() ?? ''
  checkFile(mimeType, file.size)
  const media = saveMedia(graph, {
    phoneNumberId: number.id,
    bytes: Buffer.from(await file.arrayBuffer()),
    mimeType,
    fileName: file.name,
    keptMs,
  })
  return { id: media.id }
}

async function readForm(bytes: Buffer | undefined, type: string | undefined): Promise<FormData> {
  try {
    if (bytes && type?.startsWith('multipart/form-data'))
      return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    // Handled below: unparseable forms are rejected.
  }
  throw new GraphError(100, { message: '(#100) Media is uploaded as multipart/form-data' })
}

function checkFile(mimeType: string, size: number) {
  const most = sizeLimit(mimeType)
  if (most === undefined)
    throw new GraphError(100, {
      message: `(#100) Param file must be a file with one of the supported types. Received file of type '${mimeType}'.`,
    })
  if (size > most) throw new GraphError(131053, `The file has ${size} bytes, and ${most} are allowed for ${mimeType}.`)
  if (size === 0) throw invalid('The file is empty')
}

function sizeLimit(mimeType: string): number | undefined {
  if (imageTypes.includes(mimeType)) return 5 * megabyte
  if (videoTypes.includes(mimeType) || audioTypes.includes(mimeType)) return 16 * megabyte
  if (mimeType === 'image/webp') return megabyte / 2
  // Other image, video and audio types are not supported; everything else is a document.
  if (/^(image|video|audio)\//.test(mimeType) || !/^\w+\/[\w.+-]+$/.test(mimeType)) return undefined
  return 100 * megabyte
}

/** `GET /{media_id}`: a URL valid for five minutes. */
export function readMedia(call: Call, media: Media) {
  needOwn(call, media)
  const { graph, request } = call
  const expiresAtMs = Date.now() + graph.settings.mediaUrlMs
  const ext = Math.floor(expiresAtMs / 1000)
  const key = `${media.id}-${randomBytes(12).toString('hex')}`
  linksOf(graph).set(key, { mediaId: media.id, expiresAtMs })
  return {
    url: `${request.protocol}://${request.host}/graph/${call.versionText}/whatsapp_business/attachments?mid=${key}&ext=${ext}`,
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: media.bytes.length,
    id: media.id,
    messaging_product: 'whatsapp',
  }
}

export function deleteMedia(call: Call, media: Media) {
  needOwn(call, media)
  call.graph.meta.media.delete(media.id)
  return { success: true }
}

/** Media belongs to the number that uploaded or received it. */
function needOwn({ query }: Call, media: Media) {
  if (
    media.expiresAtMs < Date.now() ||
    (query.phone_number_id !== undefined && query.phone_number_id !== media.phoneNumberId)
  )
    throw new GraphError(100, {
      message: `Unsupported get request. Object with ID '${media.id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
      type: 'GraphMethodException',
      subcode: 33,
    })
}

/** The bytes; needs the token and an unexpired URL. */
export function sendMediaBytes({ graph, query, reply, request }: Call) {
  const link = linksOf(graph).get(query.mid ?? '')
  const media = link && link.expiresAtMs > Date.now() ? graph.meta.media.get(link.mediaId) : undefined
  // Requires a user agent, as Meta does.
  if (!media || !request.headers['user-agent']) {
    reply.code(404).type('text/html').send('<html><body>URL signature expired</body></html>')
    return answered
  }
  reply
    .header('content-disposition', `attachment; filename="${encodeURIComponent(media.fileName ?? media.id)}"`)
    .type(media.mimeType)
    .send(media.bytes)
  return answered
}

type Link = { mediaId: string; expiresAtMs: number }

const linksByGraph = new WeakMap<Graph, Map<string, Link>>()

function linksOf(graph: Graph): Map<string, Link> {
  const links = linksByGraph.get(graph) ?? new Map<string, Link>()
  linksByGraph.set(graph, links)
  for (const [key, { expiresAtMs }] of links) if (expiresAtMs < Date.now() - 3_600_000) links.delete(key)
  return links
}
