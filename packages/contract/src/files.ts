import { z } from 'zod'
import { Id, IdPath, Nothing } from './common.ts'
import { Channel } from './channels.ts'
import { defineEndpoints } from './endpoint.ts'
import { megabyte } from './sizes.ts'

export const StoredFile = z.object({
  _id: Id,
  name: z.string(),
  channel: Channel,
  mimeType: z.string(),
  sizeBytes: z.number().int(),
  createdAt: z.string(),
})
export type StoredFile = z.infer<typeof StoredFile>

export const fileEndpoints = defineEndpoints({
  'uploads.list': {
    route: 'GET /api/upload/list',
    summary: 'The media uploaded for a channel, newest first',
    roles: ['user', 'manager'],
    scope: 'media:write',
    query: z.object({ channel: Channel }),
    data: z.array(StoredFile),
    fallback: 'An unexpected error occurred',
  },
  'uploads.create': {
    route: 'POST /api/upload/aws-upload',
    summary: 'Store a media file for a channel',
    roles: ['user', 'manager'],
    scope: 'media:write',
    body: z.object({ channel: Channel }),
    files: { fileContent: { maximumBytes: 20 * megabyte } },
    data: StoredFile,
    fallback: 'Failed to upload campaign media',
  },
  'uploads.delete': {
    route: 'DELETE /api/upload/{id}',
    summary: 'Delete a media file; the channel in the body must be the file’s own',
    roles: ['user', 'manager'],
    scope: 'media:write',
    path: IdPath,
    body: z.object({ channel: Channel }),
    data: Nothing,
    fallback: 'Failed to delete media',
  },
})
