import { createHash, randomUUID } from 'node:crypto'
import type { Egress } from '../../../egress/egress.ts'
import { Refusal, type ManagedFile, type MediaStorage } from '../../management.ts'
import type { ProviderIo } from '../../provider.ts'
import type { CloudApiConfig } from './config.ts'
import { sendRequest, type Graph } from './graph.ts'
import { stringOf } from '../../read-json.ts'
import { numberOf } from './json.ts'

/** Meta keeps uploads for messages for thirty days. */
const keptMs = 30 * 86_400_000
const largestFile = 100 * 1024 * 1024
const mostResumes = 3

type Io = Pick<ProviderIo, 'egress' | 'clock'>

export function mediaCalls(graph: Graph, config: CloudApiConfig, { egress, clock }: Io): MediaStorage {
  return {
    uploadSample: (file) => uploadSample(graph, config, file),
    async upload(lineId, file) {
      const bytes = writeForm({ messaging_product: 'whatsapp', type: file.mimeType }, file)
      const answer = await graph({ method: 'POST', path: `${encodeURIComponent(lineId)}/media`, bytes })
      return { id: need(stringOf(answer['id'])), expiresAt: new Date(clock.now().getTime() + keptMs) }
    },
    download: (lineId, mediaId) => downloadMedia({ graph, config, egress }, { lineId, mediaId }),
  }
}

/** Resumable upload: a session, then the bytes; after an interruption it continues at Meta's offset. */
async function uploadSample(graph: Graph, { appId, accessToken }: CloudApiConfig, file: ManagedFile): Promise<string> {
  const query = { file_name: file.name, file_length: String(file.bytes.length), file_type: file.mimeType }
  const session = need(stringOf((await graph({ method: 'POST', path: `${appId}/uploads`, query }))['id']))
  // It becomes a part of a URL that the token is sent to.
  if (!/^upload:[\w:=+/?&%.~-]+$/.test(session) || session.includes('..')) throw nameless()
  const headers = { authorization: `OAuth ${accessToken}` }
  let offset = 0
  for (let resumes = 0; ; resumes += 1) {
    try {
      const answer = await graph({
        method: 'POST',
        path: session,
        headers: { ...headers, file_offset: String(offset) },
        bytes: { contentType: 'application/octet-stream', body: file.bytes.subarray(offset) },
      })
      return need(stringOf(answer['h']))
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'passing' || resumes === mostResumes) throw error
      offset = numberOf((await graph({ path: session, headers }))['file_offset'])
    }
  }
}

function need(value: string | undefined): string {
  if (value === undefined) throw nameless()
  return value
}
function nameless(): Refusal {
  return new Refusal('Meta returned no media id; try again', {
    code: 'no_id',
    kind: 'passing',
  })
}

function writeForm(fields: Record<string, string>, file: ManagedFile): { contentType: string; body: Buffer } {
  const boundary = `carillon-${randomUUID()}`
  const plain = (text: string) => text.replaceAll(/[\r\n"\\]/g, '_')
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${plain(file.name)}"\r\ncontent-type: ${plain(file.mimeType)}\r\n\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + head), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

type Download = { graph: Graph; config: CloudApiConfig; egress: Egress }

/** Meta returns a URL that is valid for five minutes and requires the token; the token is sent to Meta's hosts only. */
async function downloadMedia(
  { graph, config, egress }: Download,
  { lineId, mediaId }: { lineId: string; mediaId: string },
): Promise<{ mimeType: string; bytes: Buffer }> {
  const facts = await graph({ path: encodeURIComponent(mediaId), query: { phone_number_id: lineId } })
  const url = need(stringOf(facts['url']))
  if (!isOfMeta(url, config.graphUrl))
    throw new Refusal('The media URL does not belong to Meta', { code: 'foreign_address', kind: 'other' })
  if (numberOf(facts['file_size']) > largestFile) throw tooLarge()
  const answer = await sendRequest(egress, {
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${config.accessToken}`, 'user-agent': 'carillon' },
    timeoutMs: config.timeoutSeconds * 4000,
    maximumBytes: largestFile,
  }).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'ANSWER_TOO_LARGE' ? tooLarge() : error
  })
  if (answer.status !== 200)
    throw new Refusal(`Meta did not return the file: it responded with ${answer.status}`, {
      code: `http_${answer.status}`,
      kind: 'passing',
    })
  const hash = stringOf(facts['sha256'])
  if (hash !== undefined && !isHashOf(answer.bytes, hash))
    throw new Refusal('The downloaded file is corrupt', { code: 'damaged', kind: 'passing' })
  const mimeType = stringOf(facts['mime_type']) ?? answer.headers['content-type'] ?? 'application/octet-stream'
  return { mimeType, bytes: answer.bytes }
}

/** A repeated download would be as large. */
function tooLarge(): Refusal {
  return new Refusal('The file is larger than 100 MB', { code: 'file_too_large', kind: 'input' })
}

const metaHosts = /(?:^|\.)(?:facebook\.com|fbsbx\.com|fbcdn\.net|whatsapp\.net|whatsapp\.com)$/

function isOfMeta(url: string, graphUrl: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(graphUrl)) return false
  const [given, own] = [new URL(url), new URL(graphUrl)]
  return given.origin === own.origin || (given.protocol === 'https:' && metaHosts.test(given.hostname))
}

function isHashOf(bytes: Buffer, hash: string): boolean {
  const digest = createHash('sha256').update(bytes).digest()
  return hash === digest.toString('hex') || hash === digest.toString('base64')
}
