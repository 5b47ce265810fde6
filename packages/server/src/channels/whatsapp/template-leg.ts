import { VariableSource } from '@carillon/contract/campaign-records'
import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import { WhatsappTemplateContent, type TemplateButton } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { valueOf } from '@carillon/contract/variable-values'
import { z } from 'zod'

/** Media of an image, video or document header: the same for everyone, or a URL or id from a column. */
export const HeaderMedia = z.union([
  z.object({
    mediaId: z.string().min(1),
    /** Our copy. */
    fileId: z.string().optional(),
    filename: z.string().max(240).optional(),
  }),
  z.object({ link: z.url({ protocol: /^https?$/ }).max(2000), filename: z.string().max(240).optional() }),
  z.object({ column: z.number().int().min(0).max(255), filename: z.string().max(240).optional() }),
  /** Uploaded to the provider when the message is sent. */
  z.object({ fileId: z.string().min(1), filename: z.string().max(240).optional() }),
])
export type HeaderMedia = z.infer<typeof HeaderMedia>

const Place = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().max(200).default(''),
  address: z.string().max(500).default(''),
})

const CardValues = z.object({
  media: HeaderMedia.optional(),
  /** In the order of `variablesOf` the card's body. */
  body: z.array(VariableSource).default([]),
  /** One for each of its URL buttons that end in a variable. */
  urls: z.array(VariableSource).default([]),
})

/** Where each piece of a template gets its value for a recipient. */
export const TemplateValues = z.object({
  /** The variable of a text header. */
  header: VariableSource.optional(),
  media: HeaderMedia.optional(),
  location: Place.optional(),
  /** In the order of `variablesOf` the body; for an authentication template, the code. */
  body: z.array(VariableSource).default([]),
  /** One for each URL button that ends in a variable, in order: the URL suffix. */
  urls: z.array(VariableSource).default([]),
  copyCode: VariableSource.optional(),
  cards: z.array(CardValues).default([]),
})
export type TemplateValues = z.infer<typeof TemplateValues>

/** The frozen content of a campaign's leg: the approved template, and where its values come from. */
export const TemplateLeg = z.object({
  template: z.object({
    name: z.string(),
    language: z.string(),
    parameterFormat: z.enum(['positional', 'named']).default('positional'),
    content: WhatsappTemplateContent,
  }),
  values: TemplateValues.default({ body: [], urls: [], cards: [] }),
})
export type TemplateLeg = z.infer<typeof TemplateLeg>

export type ParameterFormat = TemplateLeg['template']['parameterFormat']

/** A text's variables in the order of their values: numbers ascending, names in order of appearance. */
export function variablesOf(text: string, format: ParameterFormat): string[] {
  const names = listTemplateVariables(text)
  return format === 'named' ? names : names.toSorted((one, other) => Number(one) - Number(other))
}

/** All variables of a template; the body of an authentication template is written by Meta and contains the code. */
export function bodyVariablesOf({ template: { content, parameterFormat } }: TemplateLeg): string[] {
  return isAuthentication(content) ? ['1'] : variablesOf(content.body, parameterFormat)
}

export function isAuthentication({ buttons }: Pick<WhatsappTemplateContent, 'buttons'>): boolean {
  return buttons.some(({ type }) => type === 'OTP')
}

export function hasUrlVariable(button: TemplateButton): boolean {
  return button.type === 'URL' && listTemplateVariables(button.url).length > 0
}

/** With the values of one row instead of its columns. */
export function withConstants(leg: TemplateLeg, cells: readonly string[]): TemplateLeg {
  const constant = (source: VariableSource) => ({ fallback: textValueOf(source, cells) })
  const { header, body, urls, copyCode, cards } = leg.values
  return {
    template: leg.template,
    values: {
      ...leg.values,
      ...(header && { header: constant(header) }),
      body: body.map(constant),
      urls: urls.map(constant),
      ...(copyCode && { copyCode: constant(copyCode) }),
      cards: cards.map((card) => ({ ...card, body: card.body.map(constant), urls: card.urls.map(constant) })),
    },
  }
}

/** Meta rejects values with line breaks, tabs or many consecutive spaces. */
export function tidy(value: string): string {
  return value
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replaceAll(/ {5,}/g, '    ')
    .trim()
}

/** A variable's value for one row; empty if it has none. */
export function textValueOf(source: VariableSource | undefined, cells: readonly string[]): string {
  return tidy(valueOf(source, cells))
}
