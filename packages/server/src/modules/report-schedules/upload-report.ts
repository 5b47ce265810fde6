import { createHash } from 'node:crypto'
import { ReportFormat } from '@carillon/contract/report-file-records'
import type { ReportDestination } from '@carillon/contract/report-schedule-records'
import { asSystem } from '../../db/pool.ts'
import type { Egress } from '../../egress/egress.ts'
import { Problem } from '../../lib/problem.ts'
import { getFile, openStored } from '../files/index.ts'
import { reportFormats } from '../report-files/index.ts'
import type { Delivered, DeliveryDeps } from './delivered.ts'
import type { AttemptResult } from './record-attempt.ts'
import { deleteObject, putObject } from './s3.ts'

type S3 = Extract<ReportDestination, { type: 's3' }>

/** Streams the file of a report to a bucket. Repeated deliveries replace the object. */
export async function uploadReport(
  { database, store, egress }: DeliveryDeps,
  { report, destination, secrets }: Delivered & { destination: S3; secrets: Record<string, string> },
): Promise<AttemptResult> {
  const { organization_id: organizationId, file_id: fileId, size_bytes: sizeBytes, checksum } = report
  if (fileId === null || sizeBytes === null || checksum === null) throw new Error('A ready report has a file')
  const format = ReportFormat.parse(report.format)
  const file = await asSystem(database, (db) => getFile(db, { organizationId, id: fileId }))
  let body
  try {
    body = await openStored(store, file.storage_key)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { error: 'The file of the report is missing on this server', response: null, isFinal: true }
  }
  try {
    return await putObject(egress, bucketOf(destination, secrets), {
      key: keyOf(destination, `${report.first_day}_${report.last_day}_${report.id}.${format}`),
      contentType: reportFormats[format].contentType,
      body,
      sizeBytes,
      sha256: checksum.toString('hex'),
    })
  } finally {
    body.destroy()
  }
}

/** Writes a small object and deletes it. */
export async function testBucket(
  egress: Egress,
  destination: S3,
  secrets: Record<string, string>,
): Promise<AttemptResult> {
  const body = Buffer.from('Test of the destination of a scheduled report\n')
  const bucket = bucketOf(destination, secrets)
  const key = keyOf(destination, 'carillon-test.txt')
  const sha256 = createHash('sha256').update(body).digest('hex')
  const written = await putObject(egress, bucket, {
    key,
    contentType: 'text/plain',
    body,
    sizeBytes: body.length,
    sha256,
  })
  if (written.error !== null) return written
  const removed = await deleteObject(egress, bucket, key)
  return removed.error === null
    ? { error: null, response: `Wrote and deleted ${destination.bucket}/${key}` }
    : { error: `Wrote ${destination.bucket}/${key}, and could not delete it: ${removed.error}`, response: null }
}

const bucketOf = (destination: S3, secrets: Record<string, string>) => ({
  ...destination,
  secretAccessKey: secrets['secretAccessKey'] ?? '',
})

function keyOf({ prefix }: S3, name: string): string {
  const folder = prefix.replace(/^\/+/, '')
  return `${folder}${folder === '' || folder.endsWith('/') ? '' : '/'}${name}`
}
