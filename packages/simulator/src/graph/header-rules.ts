import type { Meta } from './meta.ts'
import type { Row } from './objects.ts'
import { isRow, needOneOf, readText } from './reading.ts'
import { listVariables } from './template-plan.ts'
import { badFormat, lacks, refuseTemplate, tooLong } from './template-refusal.ts'
import type { Desk } from './template-desk.ts'

const mediaHeaders: Record<string, readonly string[]> = {
  IMAGE: ['image/jpeg', 'image/jpg', 'image/png'],
  VIDEO: ['video/mp4'],
  GIF: ['video/mp4'],
  DOCUMENT: ['application/pdf'],
}

export function checkHeader({ meta, isNamed }: Desk, header: Row | undefined) {
  if (!header) return
  const format = needOneOf(
    header.format,
    ['TEXT', 'IMAGE', 'VIDEO', 'GIF', 'DOCUMENT', 'LOCATION', 'PRODUCT'],
    'format',
  )
  if (format === 'LOCATION' || format === 'PRODUCT') return
  const example = isRow(header.example) ? header.example : {}
  if (format === 'TEXT') return checkHeaderText(header, { example, isNamed })
  checkExample(meta, format, example.header_handle)
}

function checkExample(meta: Meta, format: string, handles: unknown) {
  const handle: unknown = Array.isArray(handles) ? handles[0] : undefined
  if (typeof handle !== 'string') throw lacks('an example of its header: example.header_handle')
  // On edits the sample may be the URL that was returned for it.
  if (/^https?:/.test(handle)) return
  const file = meta.handles.get(handle)
  if (!file)
    throw refuseTemplate({
      subcode: 2494102,
      title: 'Upload handle is not valid',
      message: 'The example of the header was not uploaded, or too long ago.',
    })
  if (!mediaHeaders[format]?.includes(file.mimeType))
    throw badFormat('header', `A header of format ${format} cannot show a file of type ${file.mimeType}.`)
}

function checkHeaderText(header: Row, { example, isNamed }: { example: Row; isNamed: boolean }) {
  const text = readText(header, 'text') ?? ''
  if (text === '') throw lacks('the text of its header')
  if (text.length > 60) throw tooLong('header', 60, text.length)
  if (/[\n*_~`]/.test(text.replaceAll(/\{\{[^}]*\}\}/g, '')) || /\p{Extended_Pictographic}/u.test(text))
    throw badFormat('header', 'The header can have no line breaks, no formatting and no emoji.')
  const variables = listVariables(text)
  if (variables.length > 1) throw badFormat('header', 'The header can have one variable only.')
  checkNames(variables, isNamed)
  const given = example.header_text ?? example.header_text_named_params
  if (variables.length > 0 && !(Array.isArray(given) && given.length === 1)) throw lacks('an example of its header')
}

/** Positional variables are 1 to n without gaps; names are lower-case words. */
export function checkNames(variables: string[], isNamed: boolean) {
  const wrong = isNamed
    ? variables.find((name) => !/^[a-z][a-z0-9_]*$/.test(name))
    : variables.find((name, index) => name !== String(index + 1))
  if (wrong === undefined) return
  throw refuseTemplate({
    subcode: 2388072,
    title: 'Variables are not valid',
    message: isNamed
      ? `The name {{${wrong}}} must be of lowercase letters, digits and underscores.`
      : `Variables must be numbered {{1}}, {{2}} and so on without gaps; {{${wrong}}} is not.`,
  })
}
