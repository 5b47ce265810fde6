import { randomBytes } from 'node:crypto'
import type { Call, Graph } from './graph.ts'
import { GraphError, noSuchObject } from './graph-error.ts'
import type { App, UploadSession } from './objects.ts'
import { needNumber, needText } from './reading.ts'

/** A resumable upload: a template sample or a profile picture. */
const types: Record<string, string> = {
  'application/pdf': 'application/pdf',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/png': 'image/png',
  'video/mp4': 'video/mp4',
}

const mostBytes = 100 * 1024 * 1024

/** `POST /{app_id}/uploads`: creates the upload session. */
export function startUpload({ graph, query, body }: Call, app: App) {
  const given = { ...query, ...body }
  const length = needNumber(given, 'file_length')
  const mimeType = types[needText(given, 'file_type')]
  if (!mimeType)
    throw new GraphError(100, { message: `(#100) Param file_type must be one of {${Object.keys(types).join(', ')}}` })
  if (!Number.isSafeInteger(length) || length < 1 || length > mostBytes)
    throw new GraphError(100, { message: '(#100) Param file_length is out of range' })
  const id = `upload:${randomBytes(24).toString('base64url')}`
  const fileName = typeof given.file_name === 'string' ? given.file_name : 'file'
  graph.meta.uploads.set(id, { id, appId: app.id, fileName, length, mimeType, pieces: [], received: 0 })
  return { id }
}

/** `POST /{upload:…}`: bytes from the offset. A complete file returns a handle. */
export function receiveBytes(call: Omit<Call, 'token'>, session: UploadSession) {
  needOauth(call)
  const { request, bytes, graph } = call
  const offset = Number(request.headers.file_offset)
  if (request.headers.file_offset === undefined || offset !== session.received)
    throw new GraphError(100, { message: `(#100) file_offset must be ${session.received}` })
  if (!bytes || session.received + bytes.length > session.length)
    throw new GraphError(100, { message: '(#100) The bytes do not match file_length' })
  session.pieces.push(bytes)
  session.received += bytes.length
  if (session.received < session.length) return { id: session.id, file_offset: session.received }
  return { h: finish(graph, session) }
}

/** `GET /{upload:…}`: the offset to resume at. */
export function readUpload(call: Omit<Call, 'token'>, session: UploadSession) {
  needOauth(call)
  return { id: session.id, file_offset: session.received }
}

export function findUpload(graph: Graph, id: string, method: string): UploadSession {
  const session = graph.meta.uploads.get(id)
  if (!session) throw noSuchObject(id, method)
  return session
}

function finish(graph: Graph, { id, fileName, mimeType, pieces }: UploadSession): string {
  const handle = `4::${Buffer.from(mimeType).toString('base64')}:ARZ${randomBytes(30).toString('base64url')}:e:1:1`
  graph.meta.handles.set(handle, { mimeType, fileName, bytes: Buffer.concat(pieces) })
  graph.meta.uploads.delete(id)
  return handle
}

/** The only Graph call that does not accept Bearer. */
function needOauth({ request }: Omit<Call, 'token'>) {
  if (!/^OAuth\s/i.test(request.headers.authorization ?? ''))
    throw new GraphError(104, { message: '(#104) An upload needs the header Authorization: OAuth' })
}
