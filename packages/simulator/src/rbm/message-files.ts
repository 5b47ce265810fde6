import type { Row, StoredFile } from './objects.ts'
import type { RcsMedia } from './rcs-content.ts'
import { invalid } from './rbm-error.ts'
import { needExactlyOne, needRow, needText, needUrl, readText, requireKnown } from './reading.ts'

export type MessageReading = {
  httpsOnly: boolean
  findFile: (name: string) => StoredFile | undefined
}

/** The file of a message or of a card, in one of three forms. */
export function readFile(reading: MessageReading, row: Row, path: string): RcsMedia {
  const kind = needExactlyOne(row, ['contentInfo', 'uploadedRbmFile', 'fileName'], path)
  if (kind === 'contentInfo') return readContentInfo(reading, needRow({ row, name: kind, path }), `${path}.${kind}`)
  const holder = kind === 'fileName' ? row : needRow({ row, name: kind, path })
  const at = kind === 'fileName' ? path : `${path}.${kind}`
  const file = needFile(reading, needText({ row: holder, name: 'fileName', path: at }), `${at}.fileName`)
  const thumbnail = readText({ row: holder, name: 'thumbnailName', path: at })
  const shown = thumbnail === undefined ? undefined : needFile(reading, thumbnail, `${at}.thumbnailName`)
  const thumbnailUrl = shown?.url ?? file.thumbnailUrl
  return {
    mimeType: file.mimeType,
    ...(file.url === undefined ? { fileId: file.id } : { url: file.url }),
    ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }),
  }
}

function readContentInfo({ httpsOnly }: MessageReading, row: Row, path: string): RcsMedia {
  requireKnown(row, ['fileUrl', 'thumbnailUrl', 'forceRefresh', 'contentDescription'], path)
  const description = readText({ row, name: 'contentDescription', path })
  return {
    url: needUrl({ row, name: 'fileUrl', path }, { httpsOnly }),
    ...(row.thumbnailUrl === undefined
      ? {}
      : { thumbnailUrl: needUrl({ row, name: 'thumbnailUrl', path }, { httpsOnly }) }),
    ...(description === undefined ? {} : { description }),
  }
}

function needFile({ findFile }: MessageReading, name: string, path: string): StoredFile {
  const file = findFile(name)
  if (!file) throw invalid(path, `names no file: ${name}`)
  return file
}
