import { truncate } from '@carillon/contract/text'
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import { defaultBodyBytes, type Endpoint } from '@carillon/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { badField, Problem } from '../lib/problem.ts'
import type { UploadedFile } from './handlers.ts'
import { singleLine } from '../lib/text.ts'

export type ReadForm = { body: unknown; files: Record<string, UploadedFile>; discard(): Promise<void> }

/** Limits of a form, from the schema of its call. */
type FormBounds = { fields: ReadonlySet<string>; files: NonNullable<Endpoint['files']>; textBytes: number }

/** Boundaries and headers of the parts. */
const formOverheadBytes = 64 * 1024

/** Rejects a form announced as larger than its call allows, before reading it. */
export function announcedBytes(endpoint: Endpoint, request: FastifyRequest): number {
  const { files, textBytes } = boundsOf(endpoint)
  const sizes = Object.values(files).map(({ maximumBytes }) => maximumBytes)
  const most = sizes.reduce((sum, size) => sum + size, textBytes + formOverheadBytes)
  const length = request.headers['content-length']
  if (length === undefined) return most
  if (Number(length) > most)
    throw new Problem('too_large', sizes.length > 0 ? fileTooLarge(Math.max(...sizes)) : 'The request is too large')
  return Number(length)
}

/** Streams the files of a form to disk, never into memory, and collects its text fields. */
export async function readForm(endpoint: Endpoint, request: FastifyRequest, directory: string): Promise<ReadForm> {
  const bounds = boundsOf(endpoint)
  await mkdir(directory, { recursive: true })
  const writing = new Map<string, Promise<UploadedFile>>()
  try {
    const body = await readParts(request, bounds, (part, maximumBytes) => {
      const file = store(part, maximumBytes, directory)
      // Awaited below; an earlier failure is not unhandled.
      file.catch(() => undefined)
      writing.set(part.fieldname, file)
    })
    const files: Record<string, UploadedFile> = {}
    for (const [name, file] of writing) files[name] = await file
    requireFiles(endpoint, files)
    return { body, files, discard: () => removeAll(writing.values()) }
  } catch (error) {
    request.raw.unpipe()
    await removeAll(writing.values())
    throw error
  }
}

/** Continues to read while a file is being written, so that text fields are counted as they arrive and do not pile up behind the file. */
async function readParts(
  request: FastifyRequest,
  bounds: FormBounds,
  storeFile: (part: MultipartFile, maximumBytes: number) => void,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  const seen = new Set<string>()
  let textBytes = 0
  const readPart = (part: Multipart) => {
    const name = part.fieldname
    if (seen.has(name)) throw badField(name, `The form has the field ${name} twice`)
    seen.add(name)
    if (part.type === 'file') return storeFile(part, fileBytes(bounds, name))

    const text = textOf(part, bounds)
    textBytes += Buffer.byteLength(text)
    if (textBytes > bounds.textBytes) throw new Problem('too_large', 'The fields of the form are too large')
    body[name] = readField(text)
  }
  for await (const part of partsOf(request, bounds)) {
    try {
      readPart(part)
    } catch (error) {
      if (part.type === 'file') part.file.destroy()
      throw error
    }
  }
  return body
}

/** Yields one part more than allowed, so that the extra part can be named in the error. */
async function* partsOf(request: FastifyRequest, { fields, files, textBytes }: FormBounds): AsyncIterable<Multipart> {
  const fileCount = Object.keys(files).length
  const limits = {
    fileSize: Math.max(...Object.values(files).map(({ maximumBytes }) => maximumBytes)) + 1,
    files: fileCount + 1,
    fields: fields.size + 1,
    fieldSize: textBytes + 1,
    parts: fields.size + fileCount + 2,
    headerPairs: 20,
  }
  const parts = request.parts({ limits })
  for (;;) {
    const next = await parts.next().catch((error: unknown) => {
      if (error instanceof Error && 'statusCode' in error) throw error
      throw new Problem('bad_request', 'The form cannot be read: it is damaged or incomplete')
    })
    if (next.done) return
    yield next.value
  }
}

function boundsOf(endpoint: Endpoint): FormBounds {
  return {
    fields: new Set(endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : []),
    files: endpoint.files ?? {},
    textBytes: endpoint.maximumBodyBytes ?? defaultBodyBytes,
  }
}

function fileBytes({ files }: FormBounds, name: string): number {
  const field = Object.hasOwn(files, name) ? files[name] : undefined
  if (!field) throw badField(name, `There is no file field named ${name}`)
  return field.maximumBytes
}

function textOf({ fieldname, value }: Exclude<Multipart, MultipartFile>, { fields }: FormBounds): string {
  if (!fields.has(fieldname)) throw badField(fieldname, `There is no field named ${fieldname}`)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function store(part: MultipartFile, maximumBytes: number, directory: string): Promise<UploadedFile> {
  const path = join(directory, randomUUID())
  const hash = createHash('sha256')
  let sizeBytes = 0
  const measure = new Transform({
    transform(piece: Buffer, _encoding, done) {
      sizeBytes += piece.length
      hash.update(piece)
      done(sizeBytes > maximumBytes ? new Problem('too_large', fileTooLarge(maximumBytes)) : null, piece)
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
    fileName: truncate(singleLine(basename(part.filename ?? 'file')), 200),
    mimeType: part.mimetype,
    path,
    sizeBytes,
    sha256: hash.digest(),
  }
}

function fileTooLarge(bytes: number): string {
  const size = bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${Math.round(bytes / 1024 / 1024)} MB`
  return `The file is larger than ${size}`
}

/** A multipart field is text; lists and objects are sent as JSON. */
function readField(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function requireFiles(endpoint: Endpoint, files: Record<string, UploadedFile>) {
  for (const [name, field] of Object.entries(endpoint.files ?? {})) {
    if (!field.optional && !files[name]) throw badField(name, 'Choose a file')
  }
}

/** Waits for files that are still being written: removed earlier, they would reappear. */
async function removeAll(writing: Iterable<Promise<UploadedFile>>) {
  for (const written of await Promise.allSettled(writing))
    if (written.status === 'fulfilled') await rm(written.value.path, { force: true })
}
