import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ReportDestination } from '@carillon/contract/report-schedule-records'
import { AwsV4Signer } from 'aws4fetch'
import { EgressError, type Egress } from '../../egress/egress.ts'
import type { AttemptResult } from './record-attempt.ts'

export type Bucket = Extract<ReportDestination, { type: 's3' }> & { secretAccessKey: string }

export type S3Object = {
  key: string
  contentType: string
  body: Readable | Buffer
  sizeBytes: number
  /** In hexadecimal. S3 refuses a body that differs. */
  sha256: string
}

const timeoutMs = 60_000
/** The queue ends jobs before. */
const wholeMs = 290_000
const keepBytes = 8192
const emptySha256 = createHash('sha256').digest('hex')

export async function putObject(
  egress: Egress,
  bucket: Bucket,
  { key, contentType, body, sizeBytes, sha256 }: S3Object,
): Promise<AttemptResult> {
  const headers = { 'content-type': contentType, 'content-length': String(sizeBytes), 'x-amz-content-sha256': sha256 }
  return request(egress, bucket, { method: 'PUT', key, headers, body })
}

export async function deleteObject(egress: Egress, bucket: Bucket, key: string): Promise<AttemptResult> {
  return request(egress, bucket, { method: 'DELETE', key, headers: { 'x-amz-content-sha256': emptySha256 } })
}

type Asked = { method: 'PUT' | 'DELETE'; key: string; headers: Record<string, string>; body?: Readable | Buffer }

async function request(egress: Egress, bucket: Bucket, { method, key, headers, body }: Asked): Promise<AttemptResult> {
  const { accessKeyId, secretAccessKey, region } = bucket
  const url = urlOf(bucket, key)
  const signer = new AwsV4Signer({ method, url, headers, accessKeyId, secretAccessKey, region, service: 's3' })
  const signed = await signer.sign()
  try {
    const answer = await egress.request({
      method,
      url: signed.url.href,
      headers: { ...headers, ...Object.fromEntries(signed.headers) },
      ...(body ? { body } : {}),
      timeoutMs,
      wholeMs,
      keepBytes,
    })
    if (answer.status >= 200 && answer.status < 300) return { error: null, response: key }
    return { error: explain(answer.status, answer.body), response: null }
  } catch (error) {
    if (error instanceof EgressError) return { error: error.message, response: null }
    throw error
  }
}

/** Path-style, which servers besides Amazon's understand as well. */
function urlOf({ endpoint, bucket }: Bucket, key: string): string {
  const path = [bucket, ...key.split('/')].map(encodeURIComponent).join('/')
  return `${endpoint.replace(/\/+$/, '')}/${path}`
}

const wordsOf: Record<string, string> = {
  InvalidAccessKeyId: 'The access key ID is unknown',
  SignatureDoesNotMatch: 'The secret access key is wrong',
  NoSuchBucket: 'The bucket does not exist',
  AccessDenied: 'These keys may not write to the bucket',
  PermanentRedirect: 'The bucket is in another region: use the endpoint of that region',
  AuthorizationHeaderMalformed: 'The region is wrong',
  RequestTimeTooSkewed: 'The clock of this server is wrong',
}

/** What S3 answered, in words. */
function explain(status: number, xml: string): string {
  const read = (name: string) => new RegExp(`<${name}>([^<]{1,300})</${name}>`).exec(xml)?.[1]
  const code = read('Code')
  const words = code === undefined ? undefined : wordsOf[code]
  if (words !== undefined) return `${words} (${status} ${code})`
  return [`The server answered ${status}`, code, read('Message')].filter((part) => part !== undefined).join(': ')
}
