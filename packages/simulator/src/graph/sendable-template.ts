import { GraphError } from './graph-error.ts'
import type { Reading } from './read-media.ts'
import type { Meta } from './meta.ts'
import type { Row, Template } from './objects.ts'
import { needRow, needText } from './reading.ts'
import { fillTemplate } from './template-message.ts'

/** The template of a message, if it can be sent now. */
export function readTemplateMessage(reading: Reading, message: Row) {
  const given = needRow(message, 'template')
  const name = needText(given, 'name', { path: "template['name']" })
  const language = needText(needRow(given, 'language', "template['language']"), 'code', {
    path: "template['language']['code']",
  })
  const template = findTemplate(reading.meta, { wabaId: reading.number.wabaId, name, language })
  if (template?.status === 'PAUSED') throw new GraphError(132015)
  if (template?.status === 'DISABLED') throw new GraphError(132016)
  if (template?.status !== 'APPROVED')
    throw new GraphError(132001, `template name (${name}) does not exist in ${language}`)
  return { ...fillTemplate({ ...reading, template }, given), template }
}

type Key = { wabaId: string; name: string; language: string }

const foundByMeta = new WeakMap<Meta, Map<string, Template>>()

/** Finds a template by name and language. Cached; a cached entry is used only while it is still stored. */
function findTemplate(meta: Meta, { wabaId, name, language }: Key): Template | undefined {
  const found = foundByMeta.get(meta) ?? new Map<string, Template>()
  foundByMeta.set(meta, found)
  const key = `${wabaId}/${language}/${name}`
  const known = found.get(key)
  if (known && meta.templates.get(known.id) === known) return known
  for (const template of meta.templates.values())
    if (template.wabaId === wabaId && template.name === name && template.language === language) {
      found.set(key, template)
      return template
    }
  return undefined
}
