import type {
  RcsCarouselCard,
  RcsTemplate,
  RcsTemplateInput,
  RcsTemplateStatus,
} from '@carillon/contract/channels/rcs/rcs-templates'
import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import { truncate } from '@carillon/contract/text'
import { emptyCard } from '../phone-message.ts'

/** A template in the editor. The content of all three types is kept, so that another type can be tried. */
export type RcsForm = {
  id: string | undefined
  status: RcsTemplateStatus
  input: RcsTemplateInput
  /** The saved version as text; a different one has unsaved changes. */
  saved: string
}

const emptyInput: RcsTemplateInput = {
  botId: null,
  name: '',
  category: 'PROMOTION',
  isFromLibrary: false,
  type: 'carousel',
  textMessageContent: '',
  orientation: 'VERTICAL',
  alignment: 'LEFT',
  height: 'MEDIUM',
  width: 'MEDIUM',
  suggestions: [],
  standAlone: emptyCard,
  carouselList: [carouselCard(0), carouselCard(1)],
}

export function carouselCard(order: number): RcsCarouselCard {
  return { order, ...emptyCard }
}

export function emptyForm(botId: string | null): RcsForm {
  return { id: undefined, status: 'DRAFT', input: { ...emptyInput, botId }, saved: '' }
}

export function formOf(template: RcsTemplate): RcsForm {
  const input = inputOfTemplate(template)
  return { id: template._id, status: template.status, input, saved: textOfInput(input) }
}

/** A copy starts as a draft under another name. */
export function copyOf(template: RcsTemplate): RcsForm {
  const input = inputOfTemplate(template)
  const name = `${truncate(input.name, rcsLimits.name - 5)}_copy`
  return { id: undefined, status: 'DRAFT', input: { ...input, name }, saved: '' }
}

function inputOfTemplate(template: RcsTemplate): RcsTemplateInput {
  const { botId, name, category, isFromLibrary, type, textMessageContent } = template
  const { orientation, alignment, height, width, suggestions, standAlone, carouselList } = template
  const cards = carouselList.toSorted((one, other) => one.order - other.order)
  return {
    botId,
    name,
    category,
    isFromLibrary,
    type,
    textMessageContent,
    orientation,
    alignment,
    height,
    width,
    suggestions,
    standAlone: standAlone ?? emptyCard,
    carouselList: cards.length > 0 ? cards : emptyInput.carouselList,
  }
}

/** The template to send: only the content of its type, and cards numbered in their order. */
export function inputOf({ input }: Pick<RcsForm, 'input'>): RcsTemplateInput {
  const { standAlone, carouselList, ...rest } = input
  const cards = carouselList.map((card, order) => ({ ...card, order }))
  return {
    ...rest,
    name: input.name.trim(),
    textMessageContent: input.type === 'text_message' ? input.textMessageContent : '',
    ...(input.type === 'rich_card_standalone' && standAlone ? { standAlone } : {}),
    carouselList: input.type === 'carousel' ? cards : [],
  }
}

export function textOfInput(input: RcsTemplateInput): string {
  return JSON.stringify(inputOf({ input }))
}

export function isSaved({ input, saved }: RcsForm): boolean {
  return saved === textOfInput(input)
}

/** Nothing to lose: neither a name nor content. */
export function isBlank({ input }: RcsForm): boolean {
  const content = (one: RcsTemplateInput) => JSON.stringify({ ...one, botId: null, category: null, type: null })
  return content(input) === content(emptyInput)
}

/** While an operator reviews it, and after it has ended, it cannot be changed. */
export function isLocked({ status }: Pick<RcsForm, 'status'>): boolean {
  return ['PENDING', 'IN_APPEAL', 'DISABLED', 'PENDING_DELETION', 'DELETED'].includes(status)
}
