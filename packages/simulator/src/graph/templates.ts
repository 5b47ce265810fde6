import type { Call, Graph } from './graph.ts'
import { GraphError } from './graph-error.ts'
import { parseFields, parseList, project } from './field-list.ts'
import { addTemplate } from './meta.ts'
import type { Row, Template, Waba } from './objects.ts'
import { pageOf } from './paging.ts'
import { needText, readText } from './reading.ts'
import { presentTemplate, templateFields } from './present-template.ts'
import { sendToReview, setStatus, unpause } from './template-life.ts'
import { sendStatus } from './template-webhooks.ts'
import { refuseTemplate } from './template-refusal.ts'
import { type Draft, readDraft } from './template-draft.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export function createTemplate({ graph, body }: Call, waba: Waba) {
  const name = needText(body, 'name')
  const language = needText(body, 'language')
  if (!/^[a-z0-9_]{1,512}$/.test(name))
    throw new GraphError(100, {
      message: '(#100) Param name must be of lowercase letters, digits and underscores, at most 512 of them',
    })
  if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language))
    throw new GraphError(100, { message: `(#100) Param language: ${language} is not a supported language` })
  const draft = readDraft(graph.meta, body)
  checkRoom(graph, waba)
  checkName(graph, { wabaId: waba.id, name, language })
  if (draft.category !== 'AUTHENTICATION') checkTwin(graph, waba.id, draft)
  waba.creations.push(Date.now())
  const template = addTemplate(graph.meta, { wabaId: waba.id, name, language, ...draft })
  sendToReview(graph, template, { isEdit: false })
  const { id, status, category } = template
  return { id, status, category }
}

function checkRoom(graph: Graph, waba: Waba) {
  waba.creations = waba.creations.filter((at) => at > Date.now() - hourMs)
  if (waba.creations.length >= graph.settings.templatesPerHour)
    throw new GraphError(80007, `At most ${graph.settings.templatesPerHour} templates can be made in an hour`)
  if (templatesOf(graph, waba.id).length >= graph.settings.templatesPerWaba)
    throw refuseTemplate({
      subcode: 2388019,
      title: 'Template limit reached',
      message: `This account can have ${graph.settings.templatesPerWaba} templates. Delete some to make new ones.`,
    })
}

type Named = { wabaId: string; name: string; language: string }

function checkName(graph: Graph, { wabaId, name, language }: Named) {
  const ofName = templatesOf(graph, wabaId).filter((template) => template.name === name)
  if (ofName.some((template) => template.language === language && template.status !== 'PENDING_DELETION'))
    throw refuseTemplate({
      subcode: 2388024,
      title: 'Content in this language already exists',
      message: `There is already ${language} content for this template. Edit it, or choose another language.`,
    })
  if ((graph.meta.restingNames.get(`${wabaId}/${name}`) ?? 0) > Date.now())
    throw refuseTemplate({
      subcode: 2388023,
      title: 'This name is being deleted',
      message: `New ${language} content cannot be added while the former content is being deleted. Try again in 4 weeks.`,
    })
}

/** Rejects identical content under another name, as Meta does. */
function checkTwin(graph: Graph, wabaId: string, draft: Draft) {
  const words = textOfBody(draft)
  const duplicate = templatesOf(graph, wabaId).find(
    (template) => ['APPROVED', 'PENDING', 'PAUSED'].includes(template.status) && textOfBody(template) === words,
  )
  if (duplicate)
    throw refuseTemplate({
      title: 'Duplicate template',
      message: `The template ${duplicate.name} has the same body and footer.`,
    })
}

function textOfBody({ components }: Pick<Template, 'components'>): string {
  const find = (type: string) => components.find((component) => component.type === type)?.text
  return JSON.stringify([find('BODY'), find('FOOTER')])
}

function templatesOf(graph: Graph, wabaId: string): Template[] {
  return [...graph.meta.templates.values()].filter((template) => template.wabaId === wabaId)
}

/** Newest first, filtered; names match by substring. */
export function listTemplates(call: Call, waba: Waba) {
  const { graph, query } = call
  const among = (filter: string | undefined, value: string) => filter === undefined || parseList(filter).includes(value)
  const words = (query.name_or_content ?? query.content)?.toLowerCase()
  const found = templatesOf(graph, waba.id)
    .filter(
      (template) =>
        among(query.status, template.status) &&
        among(query.category, template.category) &&
        among(query.language, template.language) &&
        among(query.quality_score, template.quality.score) &&
        (query.name === undefined || template.name.includes(query.name)) &&
        (words === undefined || JSON.stringify([template.name, template.components]).toLowerCase().includes(words)),
    )
    .toReversed()
  const { entries, paging } = pageOf(call, found, 1000)
  return { data: entries.map((template) => shown(call, template)), ...(paging ? { paging } : {}) }
}

export function readTemplate(call: Call, template: Template) {
  return shown(call, template)
}

function shown(call: Call, template: Template): Row {
  return project(presentTemplate(call, template), parseFields(call.query.fields), templateFields)
}

const editable: ReadonlySet<string> = new Set(['APPROVED', 'REJECTED', 'PAUSED'])

export function editTemplate({ graph, body }: Call, template: Template) {
  if (body.category === undefined && body.components === undefined && body.message_send_ttl_seconds === undefined)
    throw new GraphError(100, { message: '(#100) category or components must be given' })
  if (!editable.has(template.status)) throw cannotEdit(`A template that is ${template.status} cannot be edited.`)
  const draft = readDraft(graph.meta, body, template)
  if (template.status === 'APPROVED') {
    if (draft.category !== template.category) throw cannotEdit('The category of an approved template is fixed.')
    countEdit(template)
  }
  Object.assign(template, draft)
  sendToReview(graph, template, { isEdit: true })
  return { success: true }
}

function countEdit(template: Template) {
  const now = Date.now()
  template.edits = template.edits.filter((at) => at > now - 30 * dayMs)
  if (template.edits.some((at) => at > now - dayMs))
    throw cannotEdit('An approved template can be edited once in 24 hours.')
  if (template.edits.length >= 10) throw cannotEdit('An approved template can be edited 10 times in 30 days.')
  template.edits.push(now)
}

function cannotEdit(message: string): GraphError {
  return refuseTemplate({ title: 'Template cannot be edited', message })
}

/** Deletes all languages by name, or one with `hsm_id`. The name of an approved template is blocked for 30 days. */
export function deleteTemplates({ graph, query, body }: Call, waba: Waba) {
  const name = readText(query, 'name') ?? needText(body, 'name')
  const id = readText(query, 'hsm_id') ?? readText(body, 'hsm_id')
  const found = templatesOf(graph, waba.id).filter(
    (template) =>
      template.name === name && (id === undefined || template.id === id) && template.status !== 'PENDING_DELETION',
  )
  if (found.length === 0)
    throw refuseTemplate({
      subcode: 2593002,
      title: 'Message template not found',
      message: `There is no template ${name} in this account.`,
    })
  if (found.some(({ status }) => status === 'DISABLED'))
    throw refuseTemplate({ title: 'Template cannot be deleted', message: 'A disabled template cannot be deleted.' })
  for (const template of found) remove(graph, template)
  return { success: true }
}

function remove(graph: Graph, template: Template) {
  if (template.status === 'APPROVED')
    graph.meta.restingNames.set(`${template.wabaId}/${template.name}`, Date.now() + 30 * dayMs)
  setStatus(template, 'PENDING_DELETION')
  sendStatus(graph, template, { event: 'PENDING_DELETION' })
  graph.simulation.scheduler.after(graph.settings.reviewMs, () => {
    graph.meta.templates.delete(template.id)
    sendStatus(graph, template, { event: 'DELETED' })
  })
}

export function resumeTemplate({ graph }: Call, template: Template) {
  if (template.status !== 'PAUSED')
    throw new GraphError(100, { message: `(#100) The template is ${template.status}, not PAUSED` })
  unpause(graph, template)
  return { success: true }
}

export function compareTemplates({ graph, query }: Call, template: Template) {
  const ids = [template.id, ...parseList(query.template_ids)]
  const sent = (id: string) =>
    [...graph.analytics.templateTallies()].reduce((sum, tally) => sum + (tally.templateId === id ? tally.sent : 0), 0)
  return {
    data: [
      { metric: 'BLOCK_RATE', type: 'RELATIVE', order_by_relative_metric: ids },
      { metric: 'MESSAGE_SENDS', type: 'NUMBER_VALUES', number_values: ids.map((key) => ({ key, value: sent(key) })) },
      {
        metric: 'TOP_BLOCK_REASON',
        type: 'STRING_VALUES',
        string_values: ids.map((key) => ({ key, value: 'UNKNOWN_BLOCK_REASON' })),
      },
    ],
  }
}
