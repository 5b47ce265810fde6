import { readContent } from './agent-message.ts'
import { templateKey } from './directory.ts'
import type { Agent, DotgoTemplate, Row } from './objects.ts'
import type { Rbm } from './rbm.ts'
import { invalid, RbmError } from './rbm-error.ts'
import type { RcsContent } from './rcs-content.ts'
import { isRow, needOneOf, needText, readList, readOneOf, readRow, readText } from './reading.ts'
import { readingOf } from './send-message.ts'

/** The parts of a template's multipart request. */
export type TemplateForm = { data: Row; files: File[] }

/** Creates a template, or replaces the one of this name, and sends it to review. */
export async function saveTemplate(rbm: Rbm, bot: Agent, form: TemplateForm): Promise<DotgoTemplate> {
  const { data, files } = form
  const name = needText({ row: data, name: 'name' }, 100)
  if (!/^[\w-]+$/.test(name)) throw invalid('name', 'must consist of letters, digits, - and _')
  const key = templateKey({ botId: bot.id, name })
  const revision = (rbm.directory.templates.get(key)?.revision ?? 0) + 1
  const stored = await storeFiles(rbm, files)
  const template: DotgoTemplate = { botId: bot.id, name, data, status: 'pending', reason: '', revision, files: stored }
  // Invalid content is rejected before the template exists.
  fillTemplate(rbm, template, Object.fromEntries(variablesOf(template).map((each) => [each, 'x'])))
  rbm.directory.templates.set(key, template)
  reviewTemplate(rbm, template)
  return template
}

async function storeFiles({ directory }: Rbm, files: File[]): Promise<Map<string, string>> {
  const stored = new Map<string, string>()
  for (const file of files) {
    const bytes = Buffer.from(await file.arrayBuffer())
    const { id } = directory.saveFile({ mimeType: file.type, bytes, url: undefined, thumbnailUrl: undefined })
    stored.set(file.name, id)
  }
  return stored
}

export function reviewTemplate(rbm: Rbm, template: DotgoTemplate) {
  rbm.simulation.scheduler.after(rbm.settings.reviewMs, () => {
    const current = rbm.directory.templates.get(templateKey(template))
    if (current?.revision !== template.revision) return
    const isRejected = /reject/i.test(template.name)
    template.status = isRejected ? 'rejected' : 'approved'
    template.reason = isRejected ? 'The content does not match the registered use case of the bot' : ''
  })
}

/** Names in `[name]` marks, in the order of their first use. */
export function variablesOf({ data }: DotgoTemplate): string[] {
  return [...new Set([...JSON.stringify(data).matchAll(/\[([A-Za-z_]\w*)\]/g)].map(([, name = '']) => name))]
}

/** The message of a template with its variables filled in. */
export function fillTemplate(rbm: Rbm, template: DotgoTemplate, values: Record<string, string>): RcsContent {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(/\[([A-Za-z_]\w*)\]/g, (mark, name: string) => values[name] ?? mark)
    if (Array.isArray(value)) return value.map(fill)
    return isRow(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each)])) : value
  }
  const filled = fill(template.data)
  return readContent(readingOf(rbm), toContentMessage(rbm, isRow(filled) ? filled : {}, template))
}

/** As the contentMessage of Google, whose limits apply. */
function toContentMessage(rbm: Rbm, data: Row, template: DotgoTemplate): Row {
  const type = needOneOf({ row: data, name: 'type' }, ['text_message', 'rich_card', 'carousel'])
  if (type === 'text_message')
    return { text: needText({ row: data, name: 'textMessageContent' }), suggestions: toSuggestions(data) }
  const height = wordOf(readOneOf({ row: data, name: 'height' }, ['SHORT_HEIGHT', 'MEDIUM_HEIGHT', 'TALL_HEIGHT']))
  const card = (row: Row) => toCard(row, { template, height })
  if (type === 'rich_card') {
    const orientation = needOneOf({ row: data, name: 'orientation' }, ['VERTICAL', 'HORIZONTAL'])
    const alignment = readOneOf({ row: data, name: 'alignment' }, ['LEFT', 'RIGHT'])
    const standAlone = readRow({ row: data, name: 'standAlone' })
    if (!standAlone) throw invalid('standAlone', 'is required')
    const thumbnailImageAlignment = orientation === 'HORIZONTAL' ? (alignment ?? 'LEFT') : undefined
    const content = { cardOrientation: orientation, cardContent: card(standAlone) }
    return {
      richCard: { standaloneCard: { ...content, ...(thumbnailImageAlignment ? { thumbnailImageAlignment } : {}) } },
    }
  }
  const cardWidth = wordOf(needOneOf({ row: data, name: 'width' }, ['SMALL_WIDTH', 'MEDIUM_WIDTH']))
  return {
    richCard: {
      carouselCard: { cardWidth, cardContents: (readList({ row: data, name: 'carouselList' }) ?? []).map(card) },
    },
  }
}

/** `SHORT` of `SHORT_HEIGHT`. */
function wordOf(value: string | undefined): string | undefined {
  return value?.replace(/_(HEIGHT|WIDTH)$/, '')
}

type CardSource = { template: DotgoTemplate; height: string | undefined }

function toCard(row: Row, { template, height }: CardSource): Row {
  const media = toMedia(row, template)
  return {
    title: row.cardTitle,
    description: row.cardDescription,
    suggestions: toSuggestions(row),
    ...(media ? { media: { ...media, height } } : {}),
  }
}

function toMedia(row: Row, { files }: DotgoTemplate): Row | undefined {
  const url = readText({ row, name: 'mediaUrl' })
  const thumbnailUrl = readText({ row, name: 'thumbnailUrl' })
  if (url) return { contentInfo: { fileUrl: url, ...(thumbnailUrl ? { thumbnailUrl } : {}) } }
  const fileName = readText({ row, name: 'fileName' })
  if (!fileName) return undefined
  const name = (wanted: string) => {
    const id = files.get(wanted)
    if (id === undefined) throw invalid('multimedia_files', `has no file ${wanted}`)
    return `files/${id}`
  }
  const thumbnail = readText({ row, name: 'thumbnailFileName' })
  return { uploadedRbmFile: { fileName: name(fileName), ...(thumbnail ? { thumbnailName: name(thumbnail) } : {}) } }
}

function toSuggestions(row: Row): Row[] {
  return (readList({ row, name: 'suggestions' }) ?? []).map((each) => {
    const label = { text: each.displayText, postbackData: each.postback }
    switch (each.suggestionType) {
      case 'reply':
        return { reply: label }
      case 'url_action':
        return { action: { ...label, openUrlAction: { url: each.url } } }
      case 'dialer_action':
        return { action: { ...label, dialAction: { phoneNumber: each.phoneNumber } } }
      case 'share_location':
        return { action: { ...label, shareLocationAction: {} } }
      default:
        throw new RbmError('INVALID_ARGUMENT', `There is no suggestionType ${String(each.suggestionType)}`)
    }
  })
}
