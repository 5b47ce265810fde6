import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { Endpoint } from '@carillon/contract'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'
import type { UploadedFile } from './handlers.ts'

export type ReadForm = { body: Record<string, unknown>; files: Record<string, UploadedFile>; discard(): Promise<void> }

const maximumFields = 100
const maximumFieldBytes = 2 * 1024 * 1024

/** Streams the files of a form to disk, never into memory, and collects its text fields. */
export async function readForm(endpoint: Endpoint, request: FastifyRequest, directory: string): Promise<ReadForm> {
  const form: ReadForm = { body: {}, files: {}, discard: () => removeAll(form.files) }
  const largest = Math.max(...Object.values(endpoint.files ?? {}).map(({ maximumBytes }) => maximumBytes))
  try {
    await mkdir(directory, { recursive: true })
    const limits = {
      fileSize: largest + 1,
      files: 5,
      fields: maximumFields,
      fieldSize: maximumFieldBytes,
      parts: maximumFields + 5,
      headerPairs: 100,
    }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') form.body[part.fieldname] = readField(part.value)
      else form.files[part.fieldname] = await keep(part, endpoint.files?.[part.fieldname]?.maximumBytes, directory)
    }
    requireFiles(endpoint, form.files)
    return form
  } catch (error) {
    await form.discard()
    throw error
  }
}

async function keep(part: MultipartFile, maximumBytes: number | undefined, directory: string): Promise<UploadedFile> {
  if (maximumBytes === undefined) throw new Problem('bad_request', `There is no file field named ${part.fieldname}`)
  const path = join(directory, randomUUID())
  const hash = createHash('sha256')
  let sizeBytes = 0
  const measure = new Transform({
    transform(piece: Buffer, _encoding, done) {
      sizeBytes += piece.length
      hash.update(piece)
      done(
        sizeBytes > maximumBytes
          ? new Problem('too_large', `The file is larger than ${sizeInWords(maximumBytes)}`)
          : null,
        piece,
      )
    },
  })
  try {
    await pipeline(part.file, measure, createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    await rm(path, { force: true })
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw new Problem('disk_full', 'The disk is full: the file could not be stored')
    throw error
  }
  return {
    fileName: basename(part.filename ?? 'file').slice(0, 200),
    mimeType: part.mimetype,
    path,
    sizeBytes,
    sha256: hash.digest(),
  }
}

function sizeInWords(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${Math.round(bytes / 1024 / 1024)} MB`
}

/** A multipart field carries text; lists and objects travel in it as JSON. */
function readField(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function requireFiles(endpoint: Endpoint, files: Record<string, UploadedFile>) {
  for (const [name, field] of Object.entries(endpoint.files ?? {})) {
    if (!field.optional && !files[name])
      throw new Problem('bad_request', 'Choose a file', { details: [{ field: name, message: 'Choose a file' }] })
  }
}

async function removeAll(files: Record<string, UploadedFile>) {
  await Promise.all(Object.values(files).map(({ path }) => rm(path, { force: true })))
}
