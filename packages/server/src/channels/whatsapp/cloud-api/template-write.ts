import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import type {
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateSample,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { WhatsappTemplateDraft } from '../management.ts'
import { variablesOf, type ParameterFormat } from '../template-leg.ts'

type Json = Record<string, unknown>

/** The request to create a template; its name cannot be changed later. */
export function writeTemplate(template: WhatsappTemplateDraft): Json {
  const { name, language } = template
  return { name, language, ...writeChange(template) }
}

/** The fields that can be changed. */
export function writeChange({ category, parameterFormat, content }: WhatsappTemplateDraft): Json {
  return {
    category,
    parameter_format: parameterFormat,
    ...(content.timeToLiveSeconds === undefined ? {} : { message_send_ttl_seconds: content.timeToLiveSeconds }),
    components: category === 'AUTHENTICATION' ? writeCodeParts(content) : writeParts(content, parameterFormat),
  }
}

type Content = WhatsappTemplateDraft['content']

/** Meta defines this text itself. */
function writeCodeParts({ securityRecommendation, codeExpirationMinutes, buttons }: Content): Json[] {
  return [
    { type: 'BODY', add_security_recommendation: securityRecommendation },
    ...(codeExpirationMinutes === undefined
      ? []
      : [{ type: 'FOOTER', code_expiration_minutes: codeExpirationMinutes }]),
    { type: 'BUTTONS', buttons: buttons.map(writeButton) },
  ]
}

function writeParts({ header, body, samples, footer, buttons, cards }: Content, format: ParameterFormat): Json[] {
  return [
    ...(header ? [writeHeader(header, format)] : []),
    writeBody({ body, samples }, format),
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(writeButton) }]),
    ...(cards.length === 0 ? [] : [{ type: 'CAROUSEL', cards: cards.map((card) => writeCard(card, format)) }]),
  ]
}

function writeHeader(header: TemplateHeader, format: ParameterFormat): Json {
  if (header.format === 'LOCATION') return { type: 'HEADER', format: 'LOCATION' }
  if (header.format !== 'TEXT')
    return { type: 'HEADER', format: header.format, example: { header_handle: [header.handle] } }
  const { text, sample } = header
  const [name] = listTemplateVariables(text)
  if (name === undefined) return { type: 'HEADER', format: 'TEXT', text }
  const example =
    format === 'named'
      ? { header_text_named_params: [{ param_name: name, example: sample }] }
      : { header_text: [sample] }
  return { type: 'HEADER', format: 'TEXT', text, example }
}

function writeBody(
  { body: text, samples }: { body: string; samples: TemplateSample[] },
  format: ParameterFormat,
): Json {
  const names = variablesOf(text, format)
  if (names.length === 0) return { type: 'BODY', text }
  const sampleOf = (wanted: string) => samples.find(({ name }) => name === wanted)?.sample ?? ''
  const example =
    format === 'named'
      ? { body_text_named_params: names.map((name) => ({ param_name: name, example: sampleOf(name) })) }
      : { body_text: [names.map(sampleOf)] }
  return { type: 'BODY', text, example }
}

function writeButton(button: TemplateButton): Json {
  switch (button.type) {
    case 'QUICK_REPLY':
      return { type: 'QUICK_REPLY', text: button.text }
    case 'PHONE_NUMBER':
      return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phone_number }
    case 'COPY_CODE':
      return { type: 'COPY_CODE', example: button.sample }
    case 'URL': {
      const { text, url, sample } = button
      const example = listTemplateVariables(url).length === 0 ? {} : { example: [wholeUrl(url, sample)] }
      return { type: 'URL', text, url, ...example }
    }
    case 'OTP': {
      const { otp_type, text, autofill_text, supported_apps } = button
      return {
        type: 'OTP',
        otp_type,
        ...(text === '' ? {} : { text }),
        ...(autofill_text === '' ? {} : { autofill_text }),
        ...(supported_apps.length === 0 ? {} : { supported_apps }),
      }
    }
  }
}

/** Meta expects a full URL; the sample may be one, or only the variable part. */
function wholeUrl(url: string, sample: string): string {
  return /^https?:\/\//i.test(sample) ? sample : url.replace(/\{\{[^{}]*\}\}/, () => sample)
}

function writeCard({ header, body, samples, buttons }: TemplateCard, format: ParameterFormat): Json {
  return {
    components: [
      writeHeader(header, format),
      ...(body === '' ? [] : [writeBody({ body, samples }, format)]),
      ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(writeButton) }]),
    ],
  }
}
