import { GraphError } from './graph-error.ts'

type Refusal = { subcode?: number; title: string; message: string }

/** Rejects a template: code 100 with a message for the user. */
export function refuseTemplate({ subcode, title, message }: Refusal): GraphError {
  return new GraphError(100, {
    message: 'Invalid parameter',
    ...(subcode === undefined ? {} : { subcode }),
    userTitle: title,
    userMessage: message,
  })
}

export function tooLong(part: string, most: number, length: number): GraphError {
  return refuseTemplate({
    subcode: 2388040,
    title: 'Character limit exceeded',
    message: `The ${part} may have ${most} characters and has ${length}.`,
  })
}

export function lacks(part: string): GraphError {
  return refuseTemplate({
    subcode: 2388043,
    title: 'Template is missing expected fields',
    message: `The template lacks ${part}.`,
  })
}

const formatSubcodes = { header: 2388047, body: 2388072, footer: 2388073 } as const

export function badFormat(part: keyof typeof formatSubcodes, message: string): GraphError {
  return refuseTemplate({
    subcode: formatSubcodes[part],
    title: `The ${part} is not formatted correctly`,
    message,
  })
}

export function badButtons(message: string): GraphError {
  return refuseTemplate({ title: 'Buttons are not valid', message })
}
