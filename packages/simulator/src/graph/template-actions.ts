import { demoAccount } from './demo-account.ts'
import type { Graph } from './graph.ts'
import { addTemplate } from './meta.ts'
import type { Row, Template, TemplateStatus } from './objects.ts'
import { needOneOf, needText, readText } from './reading.ts'
import { disable, pause, recategorize, reject, setQuality, setStatus, unpause } from './template-life.ts'
import { sendStatus } from './template-webhooks.ts'
import { readCategory, readDraft } from './template-draft.ts'

const statuses = [
  'APPROVED',
  'PENDING',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'PENDING_DELETION',
  'LIMIT_EXCEEDED',
  'ARCHIVED',
  'LOCKED',
  'FLAGGED',
] as const satisfies TemplateStatus[]

/** Control actions on templates. */
export function createTemplateActions(graph: Graph) {
  return {
    listTemplates: () => [...graph.meta.templates.values()],
    /** Creates an approved template; it is validated. */
    putTemplate(row: Row): Template {
      const named = { name: needText(row, 'name'), language: needText(row, 'language') }
      const wabaId = readText(row, 'wabaId') ?? demoAccount.wabaId
      const draft = readDraft(graph.meta, row)
      const known = [...graph.meta.templates.values()].find(
        (each) => each.wabaId === wabaId && each.name === named.name && each.language === named.language,
      )
      if (known) return Object.assign(known, draft, { status: 'APPROVED', revision: known.revision + 1 })
      return addTemplate(graph.meta, { wabaId, ...named, ...draft, status: 'APPROVED' })
    },
    /** `status`, `reason`, `quality`, `category`, `pacing` and `pause`; each change is sent as a webhook. */
    changeTemplate(id: string, row: Row) {
      const template = graph.meta.templates.get(id)
      if (!template) throw new RangeError(`There is no template ${id}`)
      if (row.pause === true) pause(graph, template)
      if (row.category !== undefined) recategorize(graph, template, readCategory(row.category))
      if (row.quality !== undefined)
        setQuality(graph, template, needOneOf(row.quality, ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'], 'quality'))
      if (row.pacing !== undefined) template.pacing = needOneOf(row.pacing, ['none', 'release', 'drop'], 'pacing')
      if (row.status !== undefined) changeStatus(graph, template, row)
      return template
    },
  }
}

function changeStatus(graph: Graph, template: Template, row: Row) {
  const status = needOneOf(row.status, statuses, 'status')
  if (status === 'REJECTED') return reject(graph, template, readText(row, 'reason') ?? 'INVALID_FORMAT')
  if (status === 'DISABLED') return disable(graph, template)
  if (status === 'APPROVED' && template.status === 'PAUSED') return unpause(graph, template)
  if (status === 'PAUSED') return pause(graph, template)
  setStatus(template, status)
  sendStatus(graph, template, { event: status, reason: readText(row, 'reason') ?? 'NONE' })
}
