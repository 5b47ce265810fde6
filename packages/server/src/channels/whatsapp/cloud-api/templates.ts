import { Refusal, type TemplateReview } from '../../management.ts'
import type { WhatsappTemplateDraft } from '../management.ts'
import type { Graph } from './graph.ts'
import { rowsOf, stringOf } from '../../read-json.ts'
import { nextOf } from './lines.ts'
import { readCategory, readTemplate } from './template-read.ts'
import { writeChange, writeTemplate } from './template-write.ts'

const fields = [
  'id',
  'name',
  'language',
  'category',
  'status',
  'parameter_format',
  'components',
  'quality_score',
  'rejected_reason',
  'previous_category',
  'message_send_ttl_seconds',
].join(',')

export function templateCalls(graph: Graph, wabaId: string): TemplateReview<WhatsappTemplateDraft> {
  const path = `${wabaId}/message_templates`
  return {
    async list({ after }) {
      const answer = await graph({ path, query: { fields, limit: '100', after } })
      return { templates: rowsOf(answer['data']).flatMap(readTemplate), after: nextOf(answer) }
    },
    async create(template) {
      const answer = await graph({ method: 'POST', path, json: writeTemplate(template) })
      const id = stringOf(answer['id'])
      if (id === undefined)
        throw new Refusal('Meta accepted the template without an id: refresh the templates', {
          code: 'no_id',
          kind: 'passing',
        })
      return {
        id,
        status: stringOf(answer['status']) ?? 'PENDING',
        category: readCategory(answer['category']) ?? template.category,
      }
    },
    async edit(id, template) {
      await graph({ method: 'POST', path: encodeURIComponent(id), json: writeChange(template) })
    },
    async delete(name) {
      await graph({ method: 'DELETE', path, query: { name } })
    },
  }
}
