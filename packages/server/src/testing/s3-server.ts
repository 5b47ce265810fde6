import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type StoredObject = { body: Buffer; contentType: string | undefined }

/** A server that speaks S3 as far as uploads need, and checks signatures by the description of Signature Version 4. */
export type S3Server = {
  port: number
  url: string
  objects: Map<string, StoredObject>
  /** Method and path of each request. */
  requests: string[]
  close(): void
}

type Keys = { accessKeyId: string; secretAccessKey: string; region: string; bucket: string }

export async function startS3({ accessKeyId, secretAccessKey, region, bucket }: Keys): Promise<S3Server> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces)
      s3.requests.push(`${request.method} ${request.url}`)
      const problem = findProblem(request, body)
      if (problem) return refuse(response, problem)
      const path = decodeURIComponent(request.url ?? '')
      if (request.method === 'PUT') s3.objects.set(path, { body, contentType: request.headers['content-type'] })
      else s3.objects.delete(path)
      response.writeHead(request.method === 'PUT' ? 200 : 204).end()
    })
  })

  function findProblem(request: IncomingMessage, body: Buffer): [status: number, code: string] | undefined {
    const { authorization = '' } = request.headers
    const match =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([\da-f]{64})$/.exec(
        authorization,
      )
    if (!match) return [403, 'AccessDenied']
    const [, key, day = '', signedRegion = '', names = '', signature] = match
    if (key !== accessKeyId) return [403, 'InvalidAccessKeyId']
    if (signedRegion !== region) return [400, 'AuthorizationHeaderMalformed']
    const hash = String(request.headers['x-amz-content-sha256'])
    if (hash !== sha256(body)) return [400, 'XAmzContentSHA256Mismatch']
    const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
    const canonical = [request.method, request.url, '', headers.join(''), names, hash].join('\n')
    const at = String(request.headers['x-amz-date'])
    const scope = `${day}/${signedRegion}/s3/aws4_request`
    const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
    const signingKey = [day, signedRegion, 's3', 'aws4_request'].reduce<Buffer>(
      (parent, part) => hmac(parent, part),
      Buffer.from(`AWS4${secretAccessKey}`),
    )
    if (hmac(signingKey, text).toString('hex') !== signature) return [403, 'SignatureDoesNotMatch']
    return request.url?.startsWith(`/${bucket}/`) ? undefined : [404, 'NoSuchBucket']
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const s3: S3Server = {
    port,
    url: `http://127.0.0.1:${port}`,
    objects: new Map(),
    requests: [],
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return s3
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

function refuse(response: ServerResponse, [status, code]: [number, string]) {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Refused</Message></Error>`)
}
