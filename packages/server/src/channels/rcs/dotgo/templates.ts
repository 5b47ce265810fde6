import { truncate } from '@carillon/contract/text'
import type { EgressAnswer } from '../../../egress/egress.ts'
import { EgressError } from '../../../egress/egress.ts'
import { Refusal } from '../../management.ts'
import type { ProviderCallIo } from '../../provider.ts'
import { rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import { parseJson } from '../json.ts'
import type { RcsTemplateDraft, RcsTemplateReview, ReviewedRcsTemplate } from '../management.ts'
import { openApi, type DotgoRequest } from './api.ts'
import type { DotgoConfig } from './config.ts'
import { findProblem } from './outcome.ts'
import { readTemplate, writeTemplate } from './template-wire.ts'

/** Templates of a bot. They have no id: their name identifies them. */
export function templateCalls(config: DotgoConfig, io: ProviderCallIo): RcsTemplateReview {
  const { botId, serverUrl, variableMark } = config
  const api = openApi(config, 'admin', io)
  const bot = `${serverUrl}/directory/secure/api/v1/bots/${encodeURIComponent(botId)}`

  async function ask(request: DotgoRequest): Promise<Row> {
    return readAnswer(await send(() => api(request)))
  }

  async function save(url: string, template: RcsTemplateDraft): Promise<Row> {
    const { body, contentType } = await writeForm(template, variableMark)
    return ask({ method: 'POST', url, body, contentType })
  }

  /** The list has no content, so each template is read by itself. */
  async function describe(entry: Row): Promise<ReviewedRcsTemplate> {
    const name = stringOf(entry['name']) ?? ''
    const data = await ask({ method: 'GET', url: `${bot}/templates/${encodeName(name)}` })
    return { ...reviewOf(entry), name, language: '', category: 'PROMOTION', content: readTemplate(data, variableMark) }
  }

  return {
    async list() {
      const { templateList } = await ask({ method: 'GET', url: `${bot}/templates` })
      const templates: ReviewedRcsTemplate[] = []
      for (const entry of rowsOf(templateList)) if (stringOf(entry['name'])) templates.push(await describe(entry))
      return { templates, after: undefined }
    },
    async create(template) {
      const { status } = reviewOf(await save(`${bot}/templates`, template))
      return { id: template.name, status, category: template.category }
    },
    async edit(id, template) {
      await save(`${bot}/templates/${encodeName(id)}`, template)
    },
    async delete(name) {
      await ask({ method: 'POST', url: `${bot}/deleteTemplate/${encodeName(name)}` }).catch(ignoreMissing)
    },
  }
}

/** Base64 for URLs, with padding: the platform refuses names without it. */
function encodeName(name: string): string {
  const coded = Buffer.from(name).toString('base64url')
  return coded.padEnd(Math.ceil(coded.length / 4) * 4, '=')
}

function reviewOf(
  entry: Row,
): Pick<ReviewedRcsTemplate, 'id' | 'status' | 'quality' | 'rejectedReason' | 'previousCategory'> {
  return {
    id: stringOf(entry['name']) ?? '',
    status: (stringOf(entry['status']) ?? stringOf(entry['templateStatus']) ?? 'PENDING').toUpperCase(),
    quality: 'unknown',
    rejectedReason: stringOf(entry['rejectionReason']) ?? stringOf(entry['reason']),
    previousCategory: undefined,
  }
}

async function writeForm(
  template: RcsTemplateDraft,
  mark: DotgoConfig['variableMark'],
): Promise<{ body: Buffer; contentType: string }> {
  const { data, files } = writeTemplate(template, mark)
  const form = new FormData()
  form.set('rich_template_data', JSON.stringify(data))
  for (const { fileName, file } of files)
    form.append('multimedia_files', new File([new Uint8Array(file.bytes)], fileName, { type: file.mimeType }))
  const written = new Response(form)
  return { body: Buffer.from(await written.arrayBuffer()), contentType: written.headers.get('content-type') ?? '' }
}

async function send(request: () => Promise<EgressAnswer>): Promise<EgressAnswer> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new Refusal(`The operator did not respond: ${error.message}`, { code: error.code, kind: 'passing' })
  }
}

/** Errors may be in a response with status 200. */
function readAnswer({ status, body }: Pick<EgressAnswer, 'status' | 'body'>): Row {
  const answer = rowOf(parseJson(body))
  const problem = findProblem(answer)
  if (status < 300 && problem === undefined) return answer
  const message = truncate(problem ?? `The operator responded with status ${status}`, 300)
  throw new Refusal(message, { code: String(status), kind: kindOf(status) })
}

function kindOf(status: number): Refusal['kind'] {
  if (status === 401 || status === 403) return 'credentials'
  if (status === 429) return 'limit'
  return status >= 500 ? 'passing' : 'input'
}

/** It was deleted there before. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Refusal && error.code === '404')) throw error
}
